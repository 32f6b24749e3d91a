// covers TM-54
#include "render/rows_down.h"

#include <gtest/gtest.h>

#include "render/recording/recording_renderer.h"
#include "tests/render/small_trace.h"

namespace weft::render {
namespace {

// The first row of the trace at x = 10, 8 px wide; 1 tick is 1 px of the picture.
class Stage {
 public:
  explicit Stage(store::TracePtr trace)
      : trace_(std::move(trace)),
        palette_(layout::Palette::make(trace_->dictionary(), layout::Theme::kDark)) {
    cache_.set_source(trace_, palette_);
  }

  void draw() {
    for (int i = 0; i < 5; ++i) {
      batch_.clear();
      items_.clear();
      const RowDown row = {RowId(0), 10, 8};
      cache_.begin_frame();
      draw_rows_down(*trace_, {&row, 1}, *palette_, scale_, 0, {}, cache_, batch_, items_);
      cache_.end_frame();
      if (!items_.is_stale) return;
      ASSERT_TRUE(cache_.wait_until_idle());
    }
    FAIL() << "still stale";
  }

  const DrawBatch& batch() const { return batch_; }
  std::optional<layout::Hit> hit(float x, float y) const {
    return hit_down(items_, scale_, x, y, 0);
  }

 private:
  store::TracePtr trace_;
  std::shared_ptr<const layout::Palette> palette_;
  layout::TimeScale scale_{{Time{0}, Time{1000}}, 1000 / kDownPx};
  RecordingRenderer renderer_;
  TileCache cache_{renderer_};
  DrawBatch batch_;
  TimelineItems items_;
};

TEST(RowsDown, AWideStateIsABoxOfExactHeight) {
  SmallTrace small;
  small.state(small.lane("a"), "long", 100, 400);
  Stage stage(small.finish());
  stage.draw();
  ASSERT_EQ(stage.batch().boxes.size(), 1u);
  const BoxShape& box = stage.batch().boxes[0];
  EXPECT_EQ(box.x0, 10);
  EXPECT_EQ(box.x1, 18);
  EXPECT_NEAR(box.y0, 100, 0.01);
  EXPECT_NEAR(box.y1, 500, 0.01);
  EXPECT_TRUE(stage.batch().strips.empty());
  const auto hit = stage.hit(14, 300);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->begin, Time{100});
  EXPECT_EQ(hit->duration, Duration{400});
  EXPECT_FALSE(stage.hit(19, 300));
  EXPECT_FALSE(stage.hit(14, 600));
}

TEST(RowsDown, NarrowStatesShareBoxesAndAreFound) {
  SmallTrace small;
  const LaneId lane = small.lane("a");
  for (int64_t i = 0; i < 100; ++i) small.state(lane, "short", i * 10, 5);
  Stage stage(small.finish());
  stage.draw();
  ASSERT_FALSE(stage.batch().boxes.empty());
  float covered = 0;
  for (const BoxShape& box : stage.batch().boxes) {
    EXPECT_EQ(box.x0, 10);
    EXPECT_LE(box.y1, 1000 + kDownPx * 2);
    covered += box.y1 - box.y0;
  }
  EXPECT_GT(covered, 900);
  for (float y = 4; y < 990; y += 7) EXPECT_TRUE(stage.hit(14, y)) << y;
}

// covers TM-49
TEST(RowsDown, ALoneInstantIsADiamond) {
  SmallTrace small;
  const LaneId lane = small.lane("a");
  small.punctual(lane, "dropped", 500);
  Stage stage(small.finish());
  stage.draw();
  EXPECT_TRUE(stage.batch().boxes.empty());
  ASSERT_EQ(stage.batch().markers.size(), 1u);
  EXPECT_EQ(stage.batch().markers[0].x, 14);
  EXPECT_NEAR(stage.batch().markers[0].y, 500, 0.01);
  ASSERT_TRUE(stage.hit(14, 500));
  EXPECT_EQ(stage.hit(14, 500)->begin, Time{500});
}

}  // namespace
}  // namespace weft::render
