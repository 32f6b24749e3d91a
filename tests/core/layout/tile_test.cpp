#include "core/layout/tile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/core/layout/plain_cells.h"

namespace weft::layout {
namespace {

// Bursts of tiny states, long ones, gaps, and states without a length.
std::vector<PlainRecord> random_states(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<PlainRecord> records;
  int64_t t = static_cast<int64_t>(random() % 1000) - 500;
  while (records.size() < 300) {
    const int64_t scale = int64_t{1} << random() % 12;
    const int64_t length = static_cast<int64_t>(random() % 3 == 0 ? 0 : random() % scale);
    records.push_back({Time{t}, Duration{length}, EventTypeId(random() % 8)});
    t += length;
    if (random() % 2 == 0) t += static_cast<int64_t>(random() % scale);
  }
  return records;
}

// covers FS-48: at every zoom each event lies under a mark of its column or is a box.
TEST(Tile, EveryEventIsUnderAMarkAtEveryZoom) {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    const auto records = random_states(seed);
    for (int level = kSingleTicksLevel; level <= 20; ++level) {
      std::map<int64_t, Tile> tiles;
      uint64_t counted = 0;
      for (const PlainRecord& r : records) {
        const int64_t index = tile_index_of(r.begin, level);
        if (tiles.contains(index)) continue;
        for (const CellInfo& info : (tiles[index] = plain_tile(records, level, index)).cells) {
          counted += info.begins;
        }
      }
      uint64_t wide = 0;
      for (const PlainRecord& r : records) {
        const Tile& tile = tiles[tile_index_of(r.begin, level)];
        const int column =
            static_cast<int>(column_of(r.begin, level) - tile.key.index * kTileColumns);
        if (r.duration >= wide_from(level)) {
          ++wide;
          EXPECT_EQ(std::ranges::count(tile.boxes, r.begin, &Box::begin), 1);
        } else {
          ASSERT_NE(tile.texels[column].mark(), Mark::kEmpty)
              << "seed " << seed << " level " << level;
          ASSERT_NE(tile.cell(column), nullptr);
        }
      }
      EXPECT_EQ(counted + wide, records.size()) << "marks tell how many they hold";
    }
  }
}

TEST(Tile, ABoxInTwoTilesIsTheSameStateInBoth) {
  const std::vector<PlainRecord> records{{Time{200}, Duration{100}}};
  const Tile left = plain_tile(records, 0, 0), right = plain_tile(records, 0, 1);
  ASSERT_EQ(left.boxes.size(), 1u);
  ASSERT_EQ(right.boxes.size(), 1u);
  EXPECT_EQ(left.boxes[0].begin, right.boxes[0].begin);
  EXPECT_EQ(left.boxes[0].duration, right.boxes[0].duration);
  EXPECT_EQ(left.boxes[0].type, right.boxes[0].type);
}

TEST(Tile, ABoxKeepsOutOfAColumnThatAlsoShowsSomethingNarrow) {
  // At 4 ticks a column: a narrow one ends in the column in which the wide one begins.
  const std::vector<PlainRecord> records{{Time{8}, Duration{1}}, {Time{10}, Duration{100}}};
  const Tile tile = plain_tile(records, 2, 0);
  ASSERT_EQ(tile.boxes.size(), 1u);
  EXPECT_TRUE(tile.boxes[0].shares_first_column);
  EXPECT_FALSE(tile.boxes[0].shares_last_column);
}

TEST(Tile, ACarriedColumnTellsOfTheStateThatGoesOn) {
  const std::vector<PlainRecord> records{{Time{250}, Duration{12}}};
  const Tile right = plain_tile(records, 0, 1);  // begins in the tile before
  const CellInfo* info = right.cell(3);
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->begins, 0u);
  EXPECT_EQ(info->begin, Time{250});
  EXPECT_EQ(info->length, Duration{12});
}

TEST(Tile, DiamondsStandOnlyWhereThereIsRoom) {
  const std::vector<PlainRecord> records{
      {Time{20}, {}}, {Time{40}, {}}, {Time{42}, {}}, {Time{80}, {}}};
  const Tile tile = plain_tile(records, 0, 0, store::RowKind::kPunctual);
  ASSERT_EQ(tile.markers.size(), 2u);
  EXPECT_EQ(tile.markers[0].time, Time{20});
  EXPECT_EQ(tile.markers[0].room, 19);
  EXPECT_EQ(tile.markers[1].time, Time{80});
  EXPECT_EQ(tile.markers[1].room, 37);
}

TEST(Tile, AVariablesRiserCrossesTheBorderOfTiles) {
  const std::vector<PlainRecord> records{{Time{250}, {}, EventTypeId(0), 100},
                                         {Time{256}, {}, EventTypeId(0), 0}};
  const Tile right = plain_tile(records, 0, 1, store::RowKind::kVariable);
  EXPECT_EQ(right.texels[0].r, 0);
  EXPECT_EQ(right.texels[0].g, 255) << "from the value that the tile before ended with";
  EXPECT_EQ(right.texels[0].b, 0);
}

TEST(Tile, AValueThatHoldsTellsSinceWhen) {
  const std::vector<PlainRecord> records{{Time{10}, {}, EventTypeId(0), 7}};
  for (const int64_t index : {0, 2}) {
    const Tile tile = plain_tile(records, 0, index, store::RowKind::kVariable);
    const CellInfo* info = tile.cell(100);
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(info->begin, Time{10}) << "tile " << index;
    EXPECT_EQ(tile.values.back().last, 7);
  }
}

TEST(Tile, TilesAtBothEndsOfTimeAreMade) {
  for (const int64_t ticks :
       {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    for (const int level : {kSingleTicksLevel, 0, 1, 30, kMaxLevel}) {
      const TileKey key{.row = {}, .level = level, .index = tile_index_of(Time{ticks}, level)};
      EXPECT_LE(key.range().begin, Time{ticks});
      EXPECT_GE(key.range().end, Time{ticks});
    }
  }
}

TEST(Tile, ItsSizeIsBounded) {
  std::vector<PlainRecord> records;
  for (int64_t t = 0; t < 10'000; ++t) records.push_back({Time{t}, Duration{1}});
  EXPECT_LT(plain_tile(records, 4, 0).size_bytes(), 16'384u);
}

}  // namespace
}  // namespace weft::layout
