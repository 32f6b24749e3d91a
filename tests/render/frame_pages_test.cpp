// The frame thread touches no mapped page: with the file's pages taken away, it draws all the same.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "render/recording/recording_renderer.h"
#include "render/timeline.h"
#include "tests/render/small_trace.h"

namespace weft::render {
namespace {

// While it lives, whoever touches a page of the file in this process is killed.
class PagesTakenAway {
 public:
  explicit PagesTakenAway(const std::filesystem::path& file) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      uintptr_t begin = 0, end = 0;
      if (!line.ends_with(file.string())) continue;
      if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2) continue;
      mappings_.emplace_back(reinterpret_cast<void*>(begin), end - begin);
    }
    set(PROT_NONE);
  }
  ~PagesTakenAway() { set(PROT_READ); }
  PagesTakenAway(const PagesTakenAway&) = delete;
  PagesTakenAway& operator=(const PagesTakenAway&) = delete;

  size_t mappings() const { return mappings_.size(); }

 private:
  void set(int protection) {
    for (const auto& [begin, size] : mappings_) ASSERT_EQ(mprotect(begin, size, protection), 0);
  }

  std::vector<std::pair<void*, size_t>> mappings_;
};

class FramePages : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int l = 0; l < 4; ++l) {
      const LaneId lane = small_.lane("lane " + std::to_string(l));
      for (int64_t i = 0; i < 5000; ++i) {
        small_.state(lane, i % 3 == 0 ? "run" : "wait", i * 20 + l, i % 50 == 0 ? 15 : 7);
        small_.punctual(lane, "tick", i * 31);
      }
    }
    trace_ = small_.finish();
  }

  SmallTrace small_;
  store::TracePtr trace_;
};

TEST_F(FramePages, DrawingAndHoveringNeedNoneOfTheFile) {
  using layout::TimeScale;
  const auto palette = layout::Palette::make(trace_->dictionary(), layout::Theme::kDark);
  const auto lanes = layout::Lanes::build(trace_->dictionary(), trace_->rows(), {});
  // A worker that finds the pages gone makes nothing of a wish.
  std::atomic<bool> are_gone = false;
  TileCacheOptions options;
  options.make = [&](const TileSource& source, const TileRun& run, const std::stop_token& stop) {
    if (!are_gone) return TileMaker()(source, run, stop);
    std::vector<layout::Tile> empty(run.count);
    for (uint32_t i = 0; i < run.count; ++i) empty[i].key = run.key(i);
    return empty;
  };
  RecordingRenderer renderer;
  TileCache cache(renderer, options);
  cache.set_source(trace_, palette);

  size_t hits = 0;
  const auto frame = [&](TimeRange view) {
    const TimelineView timeline{TimeScale(view, 800), 0, 600};
    DrawBatch batch;
    TimelineItems items;
    cache.begin_frame();
    draw_rows(*trace_, lanes, *palette, timeline, cache, batch, items);
    cache.end_frame();
    for (float y = 1; y < 600; y += 7) {
      for (float x = 1; x < 800; x += 41)
        hits += layout::hit(items.tiles, items.boxes, {}, timeline.scale, x, y).has_value();
    }
    return items.is_stale;
  };
  const TimeRange whole = trace_->range();
  const auto zoomed = [&](int zoom, int64_t aside) {
    const Time begin = whole.begin + Duration{aside};
    return TimeRange{begin, begin + Duration{whole.length().ticks >> zoom}};
  };
  for (const int zoom : {0, 2, 5}) {
    while (frame(zoomed(zoom, 0))) ASSERT_TRUE(cache.wait_until_idle());
  }

  hits = 0;
  {
    const PagesTakenAway gone(small_.path());
    ASSERT_GT(gone.mappings(), 0u);
    are_gone = true;
    for (const int zoom : {0, 2, 5}) EXPECT_FALSE(frame(zoomed(zoom, 0))) << zoom;
    // Other tiles stand in for those that are not there yet.
    for (const int zoom : {1, 3, 6, 9}) {
      for (const int64_t aside : {0, 700, 40'000}) frame(zoomed(zoom, aside));
    }
    ASSERT_TRUE(cache.wait_until_idle());
  }
  EXPECT_GT(hits, 0u);
}

// The guard works: a frame that read the trace would not live.
using FramePagesDeathTest = FramePages;
TEST_F(FramePagesDeathTest, ReadingARecordWouldBeNoticed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        const PagesTakenAway gone(small_.path());
        trace_->record(trace_->row(RowId(0)), 0);
      },
      "");
}

}  // namespace
}  // namespace weft::render
