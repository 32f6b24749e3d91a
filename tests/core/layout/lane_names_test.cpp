// covers TM-02
#include "core/layout/lane_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::layout {
namespace {

using testing::ElementsAre;

// Lanes by their names and the numbers of their groups.
trace::Dictionary dictionary(std::initializer_list<std::pair<const char*, uint32_t>> lanes) {
  trace::Dictionary dictionary;
  for (const auto& [name, parent] : lanes) {
    trace::Lane& lane = dictionary.lanes.emplace_back();
    lane.name = name;
    if (parent < dictionary.lanes.size() - 1) lane.parent = LaneId(parent);
  }
  return dictionary;
}
constexpr uint32_t kRoot = 99;

TEST(LaneNames, OnlyThoseThatAreAlikeTakeTheNamesOfTheirGroups) {
  const trace::Dictionary ranks = dictionary(
      {{"box", kRoot}, {"rank 0", 0}, {"rank 1", 0}, {"main", 1}, {"main", 2}, {"helper", 2}});
  const LaneId lanes[] = {LaneId(4), LaneId(5), LaneId(3)};
  EXPECT_THAT(distinct_names(ranks, lanes), ElementsAre("rank 1/main", "helper", "rank 0/main"));
  EXPECT_THAT(distinct_names(ranks, std::span(lanes).subspan(1)), ElementsAre("helper", "main"));
}

TEST(LaneNames, GroupsThatAreAlikeTakeTheirsToo) {
  const trace::Dictionary boxes = dictionary(
      {{"a", kRoot}, {"b", kRoot}, {"rank", 0}, {"rank", 1}, {"main", 2}, {"main", 3}, {"x", 0}});
  const LaneId lanes[] = {LaneId(4), LaneId(5), LaneId(6)};
  EXPECT_THAT(distinct_names(boxes, lanes), ElementsAre("a/rank/main", "b/rank/main", "x"));
}

TEST(LaneNames, WhatIsAlikeUpToTheRootStaysSo) {
  const trace::Dictionary twins = dictionary({{"x", kRoot}, {"x", kRoot}, {"y", 0}, {"y", 1}});
  const LaneId lanes[] = {LaneId(0), LaneId(1), LaneId(2), LaneId(3)};
  EXPECT_THAT(distinct_names(twins, lanes), ElementsAre("x", "x", "x/y", "x/y"));
}

}  // namespace
}  // namespace weft::layout
