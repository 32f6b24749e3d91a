// Lanes that are dragged by their names, offscreen: where they go, and what scrolls meanwhile.
#include <gtest/gtest.h>

#include <vector>

#include "core/layout/lane_order.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr int kHeight = 700;

class LaneDrag : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(sized(1240, kHeight));
    if (!host_) return;
    ASSERT_TRUE(host_->open(testing::write_sample(folder_.path())));
    host_->workbench().show_only("gantt");
    ASSERT_TRUE(host_->settle());
  }
  const OpenTrace& trace() const { return *host_->workbench().session().trace(); }
};

// covers B-10, C-16: lanes are dragged, pinned and filtered where they stand
TEST_F(LaneDrag, MovesALaneAmongItsSiblings) {
  const auto lane_at = [&](float y) {
    // A click with Ctrl tells which lane stands there.
    Pointer pointer;
    pointer.x = 120;
    pointer.y = y;
    pointer.control = true;
    for (const bool is_down : {false, true, false}) {
      pointer.is_down = is_down;
      host_->frame({}, pointer);
    }
    if (trace().selected_lanes.empty()) return LaneId::none();  // a gap between lanes
    const LaneId lane = trace().selected_lanes[0];
    EXPECT_TRUE(host_->workbench().run({"select.toggle_lane", {{"lane", lane.value()}}}));
    return lane;
  };
  const float first = 26 + 22 + 8;
  const LaneId lane = lane_at(first);
  float second = first;
  LaneId sibling = lane;
  while ((sibling == lane || sibling.is_none()) && second < 300) sibling = lane_at(second += 4);
  ASSERT_NE(lane, sibling);
  drag(120, first, 120, second + 36);  // its lower half
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(trace().arrangement().moves.size(), 1u);
  EXPECT_EQ(lane_at(first), sibling);
  ASSERT_TRUE(host_->workbench().run({"lane.pin", {{"lane", lane.value()}}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(lane_at(26 + 8), lane);
  ASSERT_TRUE(host_->workbench().run({"lane.filter", {{"text", "process 1/"}}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(lane_at(26 + 8), lane) << "what is pinned stays";
  EXPECT_FALSE(find_text("process 0"));
}

// covers B-10: dragged beyond what it belongs to, it is the last there, or the first
TEST_F(LaneDrag, OutOfItsProcessKeepsALaneInIt) {
  const auto y_of = [&](const char* name) { return testing::find_text(*host_, name)->y - 4; };
  drag(120, y_of("thread 0"), 120, y_of("process 1"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(trace().arrangement().moves,
            (std::vector{layout::LaneMove{LaneId(1), LaneId::none()}}));
  drag(120, y_of("thread 0"), 120, y_of("process 0"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(trace().arrangement().moves, (std::vector{layout::LaneMove{LaneId(1), LaneId(2)}}));
}

// covers B-10: a place that is not in sight is reached by dragging to the edge, and staying there
TEST_F(LaneDrag, ToTheEdgeScrollsTheLanes) {
  ASSERT_TRUE(host_->workbench().run({"row_height", {{"px", 60}}}));
  ASSERT_TRUE(host_->settle());
  const float y = testing::find_text(*host_, "thread 0")->y;
  const auto hold = [&](float to, int frames) {
    for (int i = 0; i < frames; ++i) at(120, to, true);
    return trace().view().scroll_px;
  };
  at(120, y);
  at(120, y, true);
  EXPECT_EQ(hold(y + 20, 5), 0) << "not at an edge";
  const double once = hold(kHeight - 2, 5);
  EXPECT_GT(once, 0);
  const double longer = hold(kHeight - 2, 200);
  EXPECT_GT(longer, 4 * once);
  EXPECT_EQ(hold(kHeight - 2, 200), hold(kHeight - 2, 200)) << "ends where the lanes end";
  EXPECT_LT(hold(30, 20), longer);
  EXPECT_EQ(hold(30, 1000), 0);
}

}  // namespace
}  // namespace weft::app
