#include "app/arrangement_json.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

TEST(ArrangementJson, ComesBackAsItWas) {
  layout::LaneArrangement arrangement;
  EXPECT_EQ(json_from_arrangement(arrangement), Json::object());
  arrangement = {.sort = layout::LaneSort::kActivity,
                 .is_flat = true,
                 .hides_empty = true,
                 .filter = "cpu %s",
                 .hidden = {LaneId(3), LaneId(1)},
                 .pinned = {LaneId(4), LaneId(2)},
                 .moves = {{LaneId(0), LaneId(1)}, {LaneId(1), LaneId::none()}}};
  EXPECT_EQ(arrangement_from_json(json_from_arrangement(arrangement), 5), arrangement);
}

TEST(ArrangementJson, OfTheWrongKindIsLeftOut) {
  const layout::LaneArrangement as_in_trace;
  for (const char* text :
       {"7", "[]", R"({"sort":"x","flat":1,"filter":[],"hidden":7,"pinned":{},"moves":"x"})",
        R"({"hidden":[9,-1,"x",1.5],"pinned":[5],"moves":[[],[9],[1,9],[1,2,3],{}]})"}) {
    EXPECT_EQ(arrangement_from_json(Json::parse(text), 5), as_in_trace) << text;
  }
  const auto some = arrangement_from_json(Json::parse(R"({"pinned":[1,7,1,2]})"), 5);
  EXPECT_EQ(some.pinned, (std::vector{LaneId(1), LaneId(2)}));
}

}  // namespace
}  // namespace weft::app
