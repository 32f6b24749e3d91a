#include "app/view/arrangement_json.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

TEST(ArrangementJson, ComesBackAsItWas) {
  layout::LaneArrangement arrangement;
  EXPECT_EQ(json_from_arrangement(arrangement), Json::object());
  arrangement = {.sort = layout::LaneSort::kActivity,
                 .is_flat = true,
                 .levels = 4,
                 .shows_eventless = true,
                 .hides_empty = true,
                 .filter = "cpu %s",
                 .groups = {{2, "%s \x1b mine", {LaneId(0), LaneId(3)}}, {0, "b", {LaneId(4)}}},
                 .hidden = {LaneId(3), LaneId(1)},
                 .pinned = {LaneId(4), LaneId(layout::kFirstGroup + 2)},
                 .moves = {{LaneId(0), LaneId(1)}, {LaneId(1), LaneId::none()}}};
  EXPECT_EQ(arrangement_from_json(json_from_arrangement(arrangement), 5), arrangement);
}

TEST(ArrangementJson, OfTheWrongKindIsLeftOut) {
  const layout::LaneArrangement as_in_trace;
  for (const char* text :
       {"7", "[]",
        R"({"sort":"x","flat":1,"filter":[],"hidden":7,"pinned":{},"moves":"x","levels":-1})",
        R"({"hidden":[9,-1,"x",1.5],"pinned":[5],"moves":[[],[9],[1,9],[1,2,3],{}]})"}) {
    EXPECT_EQ(arrangement_from_json(Json::parse(text), 5), as_in_trace) << text;
  }
  // Impossible groups are left out: without a lane, or with a number or a name that is taken.
  const auto grouped =
      arrangement_from_json(Json::parse(R"({"groups":[7,{},{"number":1,"name":"a","lanes":[1,9]},
                      {"number":1,"name":"b","lanes":[2]},{"number":2,"name":"a","lanes":[3]},
                      {"number":3,"name":"c","lanes":[1]},{"number":4,"name":"","lanes":[4]}],
          "hidden":[2147483649,2147483650]})"),
                            5);
  EXPECT_EQ(grouped.groups, (std::vector<layout::LaneGroup>{{1, "a", {LaneId(1)}}}));
  EXPECT_EQ(grouped.hidden, std::unordered_set{layout::id_of(grouped.groups[0])});
  const auto some = arrangement_from_json(Json::parse(R"({"pinned":[1,7,1,2]})"), 5);
  EXPECT_EQ(some.pinned, (std::vector{LaneId(1), LaneId(2)}));
}

}  // namespace
}  // namespace weft::app
