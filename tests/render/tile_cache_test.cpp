#include "render/tile_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <semaphore>
#include <set>
#include <thread>

#include "render/recording/recording_renderer.h"
#include "tests/render/small_trace.h"

namespace weft::render {
namespace {

using layout::Palette;
using layout::Theme;

class TileCacheTest : public testing::Test {
 protected:
  TileCacheTest() {
    SmallTrace small;
    const LaneId lane = small.lane("lane");
    for (int64_t t = 0; t < 100'000; t += 10) small.state(lane, "a", t, 5);
    trace_ = small.finish();
    palette_ = Palette::make(trace_->dictionary(), Theme::kDark);
  }

  TilePieces frame(TileCache& cache, int level, int64_t index) {
    cache.begin_frame();
    const TilePieces found = cache.find(RowId(0), level, index, index)[0];
    cache.end_frame();
    return found;
  }

  RecordingRenderer renderer_;
  store::TracePtr trace_;
  std::shared_ptr<const Palette> palette_;
};

TEST_F(TileCacheTest, ATileIsReadyAfterItWasWishedFor) {
  TileCache cache(renderer_);
  cache.set_source(trace_, palette_);
  EXPECT_EQ(frame(cache, 3, 0).count, 0);
  EXPECT_FALSE(cache.is_idle() && !cache.has_news());
  ASSERT_TRUE(cache.wait_until_idle());
  const TilePieces found = frame(cache, 3, 0);
  ASSERT_EQ(found.count, 1);
  EXPECT_FALSE(found.pieces[0].is_stale);
  EXPECT_EQ(found.pieces[0].tile->key.level, 3);
  EXPECT_EQ(*renderer_.slot(found.pieces[0].slot), found.pieces[0].tile->texels);
  const uint64_t made = cache.stats().made;
  ASSERT_TRUE(cache.wait_until_idle());
  EXPECT_EQ(cache.stats().made, made);  // nothing more was wished for
}

TEST_F(TileCacheTest, PanelsOfOneFrameWishTogether) {
  TileCache cache(renderer_);
  cache.set_source(trace_, palette_);
  cache.begin_frame();
  const uint64_t number = cache.frame();
  EXPECT_EQ(cache.find(RowId(0), 3, 0, 0)[0].count, 0);
  cache.begin_frame();  // the second panel's
  EXPECT_EQ(cache.frame(), number);
  EXPECT_EQ(cache.find(RowId(0), 6, 1, 1)[0].count, 0);
  cache.end_frame();
  cache.end_frame();
  ASSERT_TRUE(cache.wait_until_idle());
  cache.begin_frame();
  EXPECT_NE(cache.frame(), number);
  for (const auto& [level, index] : {std::pair(3, 0), std::pair(6, 1)}) {
    const TilePieces found = cache.find(RowId(0), level, index, index)[0];
    ASSERT_EQ(found.count, 1);
    EXPECT_FALSE(found.pieces[0].is_stale) << level;
  }
  cache.end_frame();
}

TEST_F(TileCacheTest, TheNearestCoarserTileStandsIn) {
  TileCache cache(renderer_);
  cache.set_source(trace_, palette_);
  frame(cache, 5, 1);
  ASSERT_TRUE(cache.wait_until_idle());
  const TilePieces found = frame(cache, 3, 6);  // the third quarter of tile 1 at level 5
  ASSERT_EQ(found.count, 1);
  EXPECT_TRUE(found.pieces[0].is_stale);
  EXPECT_EQ(found.pieces[0].tile->key.level, 5);
  EXPECT_EQ(found.pieces[0].first_column, 128);
  EXPECT_EQ(found.pieces[0].last_column, 192);
}

TEST_F(TileCacheTest, FinerTilesStandInWhereNoCoarserOneIs) {
  TileCache cache(renderer_);
  cache.set_source(trace_, palette_);
  for (int i = 0; i < 2; ++i) {
    cache.begin_frame();
    cache.find(RowId(0), 3, 4, 5);
    cache.end_frame();
    ASSERT_TRUE(cache.wait_until_idle());
  }
  const TilePieces found = frame(cache, 4, 2);
  ASSERT_EQ(found.count, 2);
  EXPECT_EQ(found.pieces[0].tile->key.index, 4);
  EXPECT_EQ(found.pieces[1].tile->key.index, 5);
}

TEST_F(TileCacheTest, AnOlderSourcesTilesStandIn) {
  TileCache cache(renderer_);
  cache.set_source(trace_, palette_);
  frame(cache, 3, 0);
  ASSERT_TRUE(cache.wait_until_idle());
  cache.set_source(trace_, Palette::make(trace_->dictionary(), Theme::kLight));
  EXPECT_TRUE(frame(cache, 3, 0).pieces[0].is_stale);
  ASSERT_TRUE(cache.wait_until_idle());
  EXPECT_FALSE(frame(cache, 3, 0).pieces[0].is_stale);
}

TEST_F(TileCacheTest, WhatIsNoLongerWishedForIsNotMade) {
  std::binary_semaphore started(0), may_go_on(0);
  std::atomic<bool> is_first = true;
  std::set<int64_t> made;
  TileCacheOptions options;
  options.workers = 1;
  options.make = [&](const TileSource& source, const TileRun& run, const std::stop_token& stop) {
    if (is_first.exchange(false)) {
      started.release();
      may_go_on.acquire();
    }
    for (uint32_t i = 0; i < run.count; ++i) made.insert(run.key(i).index);
    return TileMaker()(source, run, stop);
  };
  TileCache cache(renderer_, options);
  cache.set_source(trace_, palette_);
  const int level = 9;  // the whole trace's own level: nothing else is wished for
  frame(cache, level, 0);
  started.acquire();
  cache.begin_frame();
  cache.find(RowId(0), level, 1, 49);
  cache.end_frame();
  frame(cache, level, 77);
  may_go_on.release();
  ASSERT_TRUE(cache.wait_until_idle());
  EXPECT_EQ(made, (std::set<int64_t>{0, 77}));
}

TEST_F(TileCacheTest, WhatIsNoLongerWishedForIsStoppedAndMadeAnewWhereItIsWishedForAgain) {
  std::binary_semaphore started(0);
  std::atomic<int> stopped = 0;
  std::atomic<bool> is_slow = true;
  TileCacheOptions options;
  options.workers = 1;
  options.make = [&](const TileSource& source, const TileRun& run, const std::stop_token& stop) {
    if (!is_slow.exchange(false)) return TileMaker()(source, run, stop);
    started.release();
    while (!stop.stop_requested()) std::this_thread::yield();
    ++stopped;
    return std::vector<layout::Tile>{};
  };
  TileCache cache(renderer_, options);
  cache.set_source(trace_, palette_);
  const int level = 9;  // the whole trace's own level: nothing else is wished for
  frame(cache, level, 0);
  started.acquire();
  frame(cache, level, 0);
  EXPECT_EQ(stopped, 0);  // still wished for
  frame(cache, level, 77);
  ASSERT_TRUE(cache.wait_until_idle());
  EXPECT_EQ(stopped, 1);
  frame(cache, level, 0);
  ASSERT_TRUE(cache.wait_until_idle());
  const TilePieces found = frame(cache, level, 0);
  ASSERT_EQ(found.count, 1);
  EXPECT_FALSE(found.pieces[0].is_stale);
}

TEST_F(TileCacheTest, MemoryIsBoundedAndWhatIsOnScreenStays) {
  TileCacheOptions options;
  options.max_bytes = 64 << 10;
  TileCache cache(renderer_, options);
  cache.set_source(trace_, palette_);
  for (int64_t first = 0; first < 300; first += 3) {
    for (int i = 0; i < 2; ++i) {
      cache.begin_frame();
      cache.find(RowId(0), 0, first, first + 2);
      cache.end_frame();
      ASSERT_TRUE(cache.wait_until_idle());
    }
    EXPECT_FALSE(frame(cache, 0, first).pieces[0].is_stale);
  }
  EXPECT_LE(cache.stats().bytes, options.max_bytes);
  EXPECT_GE(cache.stats().made, 300u);
  cache.set_max_bytes(options.max_bytes / 4);
  for (int i = 0; i < 3; ++i) frame(cache, 0, 297);
  EXPECT_LE(cache.stats().bytes, options.max_bytes / 4);
  EXPECT_FALSE(frame(cache, 0, 297).pieces[0].is_stale);
}

TEST_F(TileCacheTest, AFullAtlasMakesRoom) {
  RecordingRenderer tiny(8);
  TileCache cache(tiny);
  cache.set_source(trace_, palette_);
  for (int64_t index = 0; index < 100; ++index) {
    frame(cache, 0, index);
    ASSERT_TRUE(cache.wait_until_idle());
    const TilePieces found = frame(cache, 0, index);
    ASSERT_EQ(found.count, 1);
    EXPECT_FALSE(found.pieces[0].is_stale) << index;
  }
}

TEST_F(TileCacheTest, SlotsAreGivenBack) {
  RecordingRenderer tiny(8);
  for (int i = 0; i < 5; ++i) {
    TileCache cache(tiny);
    cache.set_source(trace_, palette_);
    cache.begin_frame();
    cache.find(RowId(0), 0, 0, 3);
    cache.end_frame();
    ASSERT_TRUE(cache.wait_until_idle());
  }
  EXPECT_EQ(tiny.gpu_bytes(), 0u);
}

TEST_F(TileCacheTest, ItTellsHowLongTilesTake) {
  TileCache cache(renderer_);
  cache.set_source(trace_, palette_);
  frame(cache, 0, 0);
  ASSERT_TRUE(cache.wait_until_idle());
  const TileStats stats = cache.stats();
  EXPECT_EQ(stats.made, 2u) << "the tile, and the whole trace's";
  EXPECT_EQ(stats.drawn, 1u);
  EXPECT_EQ(stats.stale, 1u);
  EXPECT_GT(stats.ready_ms.max, 0);
  EXPECT_LE(stats.ready_ms.p50, stats.ready_ms.p95);
  EXPECT_GT(stats.nodes_read, 0u);
}

TEST_F(TileCacheTest, ReadyTilesAreUploadedOverSeveralFrames) {
  TileCacheOptions options;
  options.uploads_per_frame = 2;
  TileCache cache(renderer_, options);
  cache.set_source(trace_, palette_);
  uint64_t before = 0, most = 0;
  do {
    cache.begin_frame();
    cache.find(RowId(0), 0, 0, 9);
    cache.end_frame();
    most = std::max<uint64_t>(most, renderer_.uploads() - before);
    before = renderer_.uploads();
    std::this_thread::yield();
  } while (!cache.is_idle() || cache.has_news());
  EXPECT_LE(most, 2u);
  EXPECT_GT(before, 2u);
}

}  // namespace
}  // namespace weft::render
