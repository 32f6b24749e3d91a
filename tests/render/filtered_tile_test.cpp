// Tiles under a filter against plain loops over the records that pass, and how they come to the
// frame. covers B-04, XC-29
#include "core/layout/filtered_tile.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "core/aggregate/filter.h"
#include "core/layout/links.h"
#include "render/recording/recording_renderer.h"
#include "render/tile_cache.h"
#include "render/timeline.h"
#include "tests/render/small_trace.h"

namespace weft::render {
namespace {

using aggregate::Condition;
using aggregate::FilterPtr;
using layout::CellInfo;
using layout::kTileColumns;
using layout::Palette;
using layout::Theme;
using layout::Tile;
using layout::TileKey;

// A question about a record twice: for the filter, and for the plain loop.
struct Case {
  FilterPtr filter;
  std::function<bool(const store::Row&, const store::Record&)> passes;
};

class FilteredTileTest : public ::testing::Test {
 protected:
  FilterPtr filter_of(const aggregate::FormulaPtr& formula) const {
    return std::make_shared<const aggregate::Filter>(formula, trace_->dictionary().types.size());
  }
  Case longer_than(int64_t ticks) const {
    Condition condition{.on = Condition::On::kDuration, .ids = {}, .test = {}};
    condition.ticks.least = ticks;
    return {filter_of(aggregate::where(condition)), [ticks](const auto& row, const auto& record) {
              return row.kind == store::RowKind::kState && record.duration.ticks >= ticks;
            }};
  }
  Case every_third_type() const {
    Condition condition{.on = Condition::On::kType, .ids = {}, .test = {}};
    for (size_t i = 0; i < trace_->dictionary().types.size(); ++i) {
      condition.ids.push_back(i % 3 == 0);
    }
    return {filter_of(aggregate::where(condition)),
            [](const auto&, const auto& record) { return record.type.value() % 3 == 0; }};
  }

  Tile make(RowId row, int level, int64_t index, const FilterPtr& filter, bool keeps_rest) {
    const TileKey key{layout::RowKey::of(trace_->row(row)), level, index, 1, keeps_rest};
    return layout::make_filtered_tiles(trace_, row, key, 1, filter, *palette_, rows_, {}).front();
  }

  store::TracePtr trace_ = random_trace(7, 3, 400);
  std::shared_ptr<const Palette> palette_ = Palette::make(trace_->dictionary(), Theme::kDark);
  aggregate::FilteredRows rows_;
};

// The number of events that begin in a tile according to its marks and boxes, without dimmed ones.
uint64_t told_by(const Tile& tile) {
  uint64_t told = 0;
  for (const CellInfo& cell : tile.cells) {
    if (!tile.dim.test(cell.column)) told += cell.begins;
  }
  const TimeRange range = tile.key.range();
  for (const layout::Box& box : tile.boxes) told += !box.is_dim && range.contains(box.begin);
  return told;
}

TEST_F(FilteredTileTest, MarksAndBoxesAreThoseOfAPlainLoopAtEveryZoom) {
  for (const Case& c : {longer_than(300), longer_than(1), every_third_type()}) {
    for (uint32_t id = 0; id < trace_->rows().size(); ++id) {
      const store::Row& row = trace_->row(RowId(id));
      for (int level = layout::kSingleTicksLevel; level <= 20; level += 3) {
        std::map<int64_t, uint64_t> expected;
        for (uint64_t i = 0; i < row.count; ++i) {
          const store::Record record = trace_->record(row, i);
          const int64_t index = layout::tile_index_of(record.begin, level);
          expected[index] += c.passes(row, record) ? 1 : 0;
        }
        for (const auto& [index, count] : expected) {
          ASSERT_EQ(told_by(make(RowId(id), level, index, c.filter, false)), count);
          ASSERT_EQ(told_by(make(RowId(id), level, index, c.filter, true)), count);
        }
      }
    }
  }
}

TEST_F(FilteredTileTest, WhatDoesNotPassIsDimmedBelowWhatPasses) {
  const Case c = every_third_type();
  size_t dim = 0, lit = 0;
  for (uint32_t id = 0; id < trace_->rows().size(); ++id) {
    const store::Row& row = trace_->row(RowId(id));
    for (const int level : {0, 4, 8}) {
      const int64_t index = layout::tile_index_of(row.first_begin, level);
      const Tile passing = make(RowId(id), level, index, c.filter, false);
      const Tile both = make(RowId(id), level, index, c.filter, true);
      const Tile whole = layout::make_tiles(row, both.key, 1, *palette_).front();
      ASSERT_EQ(both.cells.size(), whole.cells.size());
      for (size_t column = 0; column < kTileColumns; ++column) {
        const bool is_empty = whole.texels[column].mark() == layout::Mark::kEmpty;
        const bool passes = passing.texels[column].mark() != layout::Mark::kEmpty;
        ASSERT_EQ(both.texels[column].mark() == layout::Mark::kEmpty, is_empty);
        ASSERT_EQ(both.dim.test(column), !is_empty && !passes);
        if (!is_empty) {
          ASSERT_EQ(both.texels[column] == passing.texels[column], passes);
          ASSERT_FALSE(!passes && both.texels[column] == whole.texels[column]);
        }
        dim += both.dim.test(column);
        lit += passes;
      }
    }
  }
  EXPECT_GT(dim, 100u);
  EXPECT_GT(lit, 100u);
}

TEST_F(FilteredTileTest, LinksAreThoseThatPass) {
  Condition condition{.on = Condition::On::kTarget, .ids = {}, .test = {}};
  condition.ids.assign(trace_->dictionary().lanes.size(), false);
  condition.ids[2] = true;
  const FilterPtr filter = filter_of(aggregate::where(condition));
  uint64_t expected = 0;
  for (const store::Row& row : trace_->rows()) {
    for (uint64_t i = 0; row.kind == store::RowKind::kLinkOut && i < row.count; ++i) {
      expected += trace_->record(row, i).peer == LaneId(2);
    }
  }
  const layout::LinkItems links =
      layout::links_in(*trace_, layout::TimeScale(trace_->range(), 800), {},
                       [&](RowId row) { return rows_.get(trace_, row, filter, trace_->range()); });
  EXPECT_GT(expected, 10u);
  EXPECT_EQ(links.in_view, expected);
}

// The first tile is there before the last record was looked at.
TEST_F(FilteredTileTest, ThePictureOfALongRowGrowsTileByTile) {
  SmallTrace small;
  const LaneId lane = small.lane("lane");
  const auto states = static_cast<int64_t>(aggregate::kFilterChunkRecords * 3);
  for (int64_t i = 0; i < states; ++i) small.state(lane, "a", i * 10, i % 8);
  trace_ = small.finish();
  ASSERT_TRUE(aggregate::is_filtered_in_chunks(trace_->row(RowId(0))));
  const Case c = longer_than(7);
  const int level = 14;  // eight columns of the whole trace's tile
  RecordingRenderer renderer;
  const auto rows = std::make_shared<aggregate::FilteredRows>();
  std::mutex mutex;
  std::map<int64_t, uint64_t> kept;  // bytes of filtered rows, after each tile
  TileCacheOptions options;
  options.workers = 1;
  options.make = [&](const TileSource& source, const TileRun& run, const std::stop_token& stop) {
    std::vector<Tile> tiles = TileMaker(rows)(source, run, stop);
    const std::lock_guard lock(mutex);
    for (const Tile& tile : tiles) kept[tile.key.index] = rows->size_bytes();
    return tiles;
  };
  TileCache cache(renderer, options);
  cache.set_source(trace_, palette_);
  const int64_t last = layout::tile_index_of(trace_->range().end, level);
  ASSERT_GE(last, 3);
  cache.begin_frame();
  cache.find(RowId(0), level, 0, last, {1, false, c.filter});
  cache.end_frame();
  ASSERT_TRUE(cache.wait_until_idle());
  ASSERT_EQ(kept.size(), static_cast<size_t>(last) + 1);  // and none of a coarser level
  for (int64_t i = 1; i <= last; ++i) EXPECT_LE(kept[i - 1], kept[i]);
  EXPECT_LT(kept[0], kept[last] / 2);
}

TEST_F(FilteredTileTest, TheRowAsItWasStandsInUntilTheTileIsThere) {
  RecordingRenderer renderer;
  TileCache cache(renderer);
  cache.set_source(trace_, palette_);
  const int level = 6;
  const int64_t index = layout::tile_index_of(trace_->row(RowId(0)).first_begin, level);
  const auto frame = [&](const layout::TileFilter& filter) {
    cache.begin_frame();
    const TilePieces found = cache.find(RowId(0), level, index, index, filter)[0];
    cache.end_frame();
    return found;
  };
  (void)frame({});
  ASSERT_TRUE(cache.wait_until_idle());
  const Case c = longer_than(300);
  layout::TileFilter filter{.id = 5, .keeps_rest = false, .filter = nullptr};
  const uint64_t made_before = cache.stats().made;
  TilePieces found = frame(filter);  // it is still being compiled
  ASSERT_EQ(found.count, 1);
  EXPECT_TRUE(found.pieces[0].is_stale);
  EXPECT_EQ(found.pieces[0].tile->key.filter, 0u);
  ASSERT_TRUE(cache.wait_until_idle());
  EXPECT_EQ(cache.stats().made, made_before);  // so nothing was wished for

  filter.filter = c.filter;
  for (const bool keeps_rest : {false, true}) {
    filter.keeps_rest = keeps_rest;
    EXPECT_TRUE(frame(filter).pieces[0].is_stale);
    ASSERT_TRUE(cache.wait_until_idle());
    found = frame(filter);
    EXPECT_FALSE(found.pieces[0].is_stale);
    EXPECT_EQ(found.pieces[0].tile->key.filter, 5u);
    EXPECT_EQ(told_by(*found.pieces[0].tile),
              told_by(make(RowId(0), level, index, c.filter, keeps_rest)));
  }
}

TEST_F(FilteredTileTest, ARowSaysThatItIsShownAsItWasBeforeTheFilter) {
  RecordingRenderer renderer;
  TileCache cache(renderer);
  cache.set_source(trace_, palette_);
  const auto items_of = [&](const layout::TileFilter& filter) {
    DrawBatch batch;
    TimelineItems items;
    cache.begin_frame();
    draw_row(*trace_, RowId(0), *palette_, {layout::TimeScale(trace_->range(), 800), 0, 16, filter},
             0, 16, cache, batch, items);
    cache.end_frame();
    return items;
  };
  (void)items_of({});
  ASSERT_TRUE(cache.wait_until_idle());
  EXPECT_FALSE(items_of({}).awaits_filter);
  layout::TileFilter filter{.id = 5, .keeps_rest = false, .filter = nullptr};
  EXPECT_TRUE(items_of(filter).awaits_filter) << "it is being compiled";
  filter.filter = longer_than(300).filter;
  for (const bool keeps_rest : {false, true}) {
    filter.keeps_rest = keeps_rest;
    const TimelineItems before = items_of(filter);
    EXPECT_TRUE(before.awaits_filter);
    for (const layout::PlacedTile& tile : before.tiles) EXPECT_TRUE(tile.awaits_filter);
    ASSERT_TRUE(cache.wait_until_idle());
    const TimelineItems after = items_of(filter);
    EXPECT_FALSE(after.is_stale || after.awaits_filter);
    EXPECT_FALSE(after.tiles.empty());
  }
}

}  // namespace
}  // namespace weft::render
