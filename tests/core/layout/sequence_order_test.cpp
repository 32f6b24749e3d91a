#include "core/layout/sequence_order.h"

#include <gtest/gtest.h>

namespace weft::layout {
namespace {

std::vector<uint32_t> values(const std::vector<LaneId>& lanes) {
  std::vector<uint32_t> values;
  for (const LaneId lane : lanes) values.push_back(lane.value());
  return values;
}

// Lanes 3, 1, 0, 2 in order of appearance; 3 and 2 talk most.
query::Traffic traffic() {
  query::Traffic traffic;
  traffic.lanes = {LaneId(3), LaneId(1), LaneId(0), LaneId(2)};
  traffic.pairs = {
      {LaneId(0), LaneId(1), 1}, {LaneId(2), LaneId(3), 10}, {LaneId(3), LaneId(2), 5}};
  return traffic;
}

const ShownLanes kAll = {LaneId(0), LaneId(1), LaneId(2), LaneId(3)};

// covers TM-10
TEST(SequenceOrder, LanesStandAsTheyAppearOrSoThatArrowsAreShort) {
  const SequenceOrder first = order_lanes(traffic(), kAll, MessageOrder::kFirst);
  EXPECT_EQ(values(first.lanes), (std::vector<uint32_t>{3, 1, 0, 2}));
  EXPECT_EQ(first.length, 15u * 3 + 1);
  EXPECT_EQ(order_lanes(traffic(), kAll, MessageOrder::kShort).length, 16u);
}

// covers TM-47
TEST(SequenceOrder, HiddenLanesAreLeftOutAndFoldedOnesAreOne) {
  ShownLanes shown = kAll;
  shown[1] = LaneId::none();
  shown[2] = LaneId(3);
  const SequenceOrder order = order_lanes(traffic(), shown, MessageOrder::kFirst);
  EXPECT_EQ(values(order.lanes), (std::vector<uint32_t>{3, 0}));
  EXPECT_EQ(order.length, 0u);
}

TEST(SequenceOrder, TheUserMovesLanes) {
  const LaneMove moves[] = {{LaneId(2), LaneId(1)},
                            {LaneId(3), LaneId::none()},
                            {LaneId::none(), LaneId(0)},
                            {LaneId(0), LaneId(0)}};
  const SequenceOrder order = order_lanes(traffic(), kAll, MessageOrder::kFirst, moves);
  EXPECT_EQ(values(order.lanes), (std::vector<uint32_t>{2, 1, 0, 3}));
  EXPECT_EQ(order.length, 15u * 3 + 1);
}

}  // namespace
}  // namespace weft::layout
