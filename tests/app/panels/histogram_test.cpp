// The bars of the overview and of the event density.
#include "app/panels/timeline/histogram.h"

#include <gtest/gtest.h>

#include "core/base/thread_pool.h"
#include "tests/render/small_trace.h"

namespace weft::app {
namespace {

Histogram histogram_of(const store::TracePtr& trace, float width_px) {
  const TimeAxis axis(TimeWindow::all_of(trace->range()), 0, width_px);
  ThreadPool pool(2);
  return make_histogram(histogram_key(trace, axis, trace->range(), 2), {pool, {}}).value();
}

TEST(Histogram, TheSameTraceHasSpikesHoweverWideItsPictureIs) {
  render::SmallTrace bursts, even;
  const LaneId lane = bursts.lane("a"), other = even.lane("a");
  for (int64_t t = 0; t < 1'000'000; t += 20'000) {
    bursts.punctual(lane, "tick", t);
    even.punctual(other, "tick", t);
  }
  for (int64_t t = 500'000; t < 500'400; ++t) bursts.punctual(lane, "burst", t);
  const store::TracePtr spiked = bursts.finish(), flat = even.finish();
  for (const float width : {300.F, 640.F, 1280.F, 1500.F, 2560.F, 5000.F}) {
    EXPECT_TRUE(histogram_of(spiked, width).has_spikes) << width;
    EXPECT_FALSE(histogram_of(flat, width).has_spikes) << width;
  }
}

}  // namespace
}  // namespace weft::app
