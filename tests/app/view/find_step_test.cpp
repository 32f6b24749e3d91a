// Steps from hit to hit, and to the first from what is selected.
#include "app/view/find_step.h"

#include <gtest/gtest.h>

#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

TEST(FindSteps, BeginBesideTheSelectedElementAmongThoseThatBeginWithIt) {
  const testing::ScratchFolder folder;
  const auto trace = testing::opened(testing::write_twins(folder.path()));
  ThreadPool pool(1);
  FindKey key;
  key.trace = trace;
  key.text = "tick";
  key.lanes = std::make_shared<const LaneView>();
  query::ElementRef tick;
  tick.lane = LaneId(0);
  tick.kind = store::RowKind::kPunctual;
  tick.type = EventTypeId(1);
  tick.begin = {150};
  const auto found = [&](uint32_t from, query::Direction direction) {
    key.element = tick;
    key.element->nth = from;
    key.direction = direction;
    const auto answer = find_hit(key, pool, {});
    EXPECT_TRUE(answer && answer->hit);
    return std::pair(answer->hit->element.begin.ticks, answer->hit->element.nth);
  };
  using Hit = std::pair<int64_t, uint32_t>;
  EXPECT_EQ(found(0, query::Direction::kNext), Hit(150, 1));
  EXPECT_EQ(found(1, query::Direction::kNext), Hit(150, 2));
  EXPECT_EQ(found(2, query::Direction::kNext), Hit(900, 0));
  EXPECT_EQ(found(2, query::Direction::kPrevious), Hit(150, 1));
  EXPECT_EQ(found(1, query::Direction::kPrevious), Hit(150, 0));
  EXPECT_EQ(found(0, query::Direction::kPrevious), Hit(900, 0)) << "from the other end";
}

}  // namespace
}  // namespace weft::app
