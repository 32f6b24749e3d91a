// Tiles that are made together are those that are made alone. covers FS-48
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "core/layout/tile.h"
#include "tests/render/small_trace.h"

namespace weft::render {
namespace {

using layout::Tile;
using layout::TileKey;

void expect_same(const Tile& a, const Tile& b) {
  ASSERT_EQ(a.key, b.key);
  EXPECT_EQ(a.texels, b.texels);
  EXPECT_EQ(a.first_column, b.first_column);
  EXPECT_EQ(a.end_column, b.end_column);
  const auto box = [](const layout::Box& x) {
    return std::tuple(x.begin, x.duration, x.type, x.shares_first_column, x.shares_last_column);
  };
  EXPECT_TRUE(std::ranges::equal(a.boxes, b.boxes, {}, box, box));
  const auto cell = [](const layout::CellInfo& x) {
    return std::tuple(x.begin, x.length, x.begins, x.type, x.busy_share, x.column, x.mark);
  };
  EXPECT_TRUE(std::ranges::equal(a.cells, b.cells, {}, cell, cell));
  const auto value = [](const layout::CellValues& x) { return std::tuple(x.min, x.max, x.last); };
  EXPECT_TRUE(std::ranges::equal(a.values, b.values, {}, value, value));
  const auto marker = [](const layout::Marker& x) { return std::tuple(x.time, x.type); };
  EXPECT_TRUE(std::ranges::equal(a.markers, b.markers, {}, marker, marker));
}

TEST(TilesTogether, AreThoseMadeAlone) {
  const auto trace = random_trace(11, 4, 3000);
  const auto palette = layout::Palette::make(trace->dictionary(), layout::Theme::kDark);
  std::minstd_rand random(5);
  size_t cells = 0, boxes = 0;
  for (const store::Row& row : trace->rows()) {
    for (int level = layout::kSingleTicksLevel; level <= 20; ++level) {
      const int64_t first = layout::tile_index_of(row.first_begin, level);
      const int64_t last = layout::tile_index_of(trace->range().end, level);
      const auto count = static_cast<uint32_t>(1 + random() % 9);
      const auto index = first - 2 + static_cast<int64_t>(random()) % (last - first + 4);
      const TileKey key{layout::RowKey::of(row), level, index};
      const std::vector<Tile> together = layout::make_tiles(row, key, count, *palette);
      ASSERT_EQ(together.size(), count);
      for (uint32_t i = 0; i < count; ++i) {
        TileKey one = key;
        one.index += i;
        expect_same(together[i], layout::make_tiles(row, one, 1, *palette).front());
        cells += together[i].cells.size();
        boxes += together[i].boxes.size();
      }
    }
  }
  EXPECT_GT(cells, 1000u);
  EXPECT_GT(boxes, 100u);
}

}  // namespace
}  // namespace weft::render
