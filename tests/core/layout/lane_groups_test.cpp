// covers B-10: groups of lanes that the user has made, in the tree that is shown
#include "core/layout/lane_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/layout/lanes.h"
#include "core/store/segment.h"  // a row of the store holds parts of segments

namespace weft::layout {
namespace {

trace::Dictionary lanes(const std::vector<std::pair<const char*, uint32_t>>& names_and_parents) {
  trace::Dictionary dictionary;
  for (const auto& [name, parent] : names_and_parents) {
    trace::Lane lane;
    lane.name = name;
    lane.parent = LaneId(parent);
    dictionary.lanes.push_back(lane);
  }
  return dictionary;
}

constexpr uint32_t kRoot = LaneId::none().value();

// m(a(a1 a2) b(b1) c)
const trace::Dictionary kTree =
    lanes({{"m", kRoot}, {"a", 0}, {"a1", 1}, {"a2", 1}, {"b", 0}, {"b1", 4}, {"c", 0}});

LaneGroup group(uint32_t number, const char* name, std::vector<uint32_t> ids) {
  LaneGroup made{number, name, {}};
  for (const uint32_t id : ids) made.lanes.emplace_back(id);
  return made;
}

// "0m 1a 2a1" of what is shown: depths and names.
std::string shown(const trace::Dictionary& dictionary, const LaneArrangement& arrangement) {
  const LaneForest forest(dictionary, arrangement.groups);
  std::string text;
  for (const ArrangedLane& lane : arrange_lanes(dictionary, {}, arrangement).lanes) {
    text += text.empty() ? "" : " ";
    text += std::to_string(lane.depth) + forest.name(lane.lane);
  }
  return text;
}

std::string shown(std::vector<LaneGroup> groups) {
  LaneArrangement arrangement;
  arrangement.groups = std::move(groups);
  return shown(kTree, arrangement);
}

TEST(LaneGroups, StandAmongTheSiblingsOfTheirLanes) {
  EXPECT_EQ(shown(kTree, {}), "0m 1a 2a1 2a2 1b 2b1 1c");
  EXPECT_EQ(shown({group(0, "G", {4, 6})}), "0m 1a 2a1 2a2 1G 2b 3b1 2c");
  EXPECT_EQ(shown({group(0, "G", {6, 1})}), "0m 1G 2a 3a1 3a2 2c 1b 2b1");
}

TEST(LaneGroups, OfLanesFromDifferentPlacesAreRoots) {
  EXPECT_EQ(shown({group(0, "G", {2, 6})}), "0m 1a 2a2 1b 2b1 0G 1a1 1c");
  EXPECT_EQ(shown({group(0, "G", {0, 2})}), "0G 1m 2a 3a1 3a2 2b 3b1 2c") << "below itself already";
}

TEST(LaneGroups, MayBeInOthersAndNeverInThemselves) {
  EXPECT_EQ(shown({group(3, "G", {2}), group(7, "H", {1, 4})}), "0m 1H 2a 3G 4a1 3a2 2b 3b1 1c");
  // Whatever the groups, every lane is there once.
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    std::vector<LaneGroup> groups;
    for (uint32_t g = 0; g < 4; ++g) {
      std::vector<uint32_t> ids;
      for (auto n = random() % 4; n > 0; --n) ids.push_back(static_cast<uint32_t>(random() % 9));
      groups.push_back(group(g, "g", ids));
    }
    const LaneForest forest(kTree, groups);
    LaneArrangement arrangement;
    arrangement.groups = groups;
    const LaneOrder order = arrange_lanes(kTree, {}, arrangement);
    std::vector<uint32_t> ids;
    for (const ArrangedLane& lane : order.lanes) {
      if (!is_group(lane.lane)) ids.push_back(lane.lane.value());
    }
    std::ranges::sort(ids);
    EXPECT_EQ(ids, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(order.lanes.size(), forest.order().size());
    EXPECT_EQ(order.left_out, 0u);
  }
}

TEST(LaneGroups, AreArrangedAsLanesAre) {
  LaneArrangement arrangement;
  arrangement.groups = {group(0, "zoo", {1, 4})};
  const LaneId zoo = id_of(arrangement.groups[0]);
  arrangement.sort = LaneSort::kName;
  EXPECT_EQ(shown(kTree, arrangement), "0m 1c 1zoo 2a 3a1 3a2 2b 3b1");
  arrangement.moves = {{zoo, LaneId(6)}};
  EXPECT_EQ(shown(kTree, arrangement), "0m 1zoo 2a 3a1 3a2 2b 3b1 1c");
  arrangement.filter = "ZOO b";
  EXPECT_EQ(shown(kTree, arrangement), "0m 1zoo 2b 3b1") << "its name is part of the path";
  arrangement.filter = "m/a";
  EXPECT_EQ(shown(kTree, arrangement), "0m 1zoo 2a 3a1 3a2") << "and so is that in the trace";
  arrangement.filter.clear();
  arrangement.hidden = {zoo};
  EXPECT_EQ(shown(kTree, arrangement), "0m 1c");
  EXPECT_EQ(arrange_lanes(kTree, {}, arrangement).left_out, 5u) << "lanes, not groups";
  arrangement.hidden.clear();
  arrangement.pinned = {zoo};
  EXPECT_EQ(arrange_lanes(kTree, {}, arrangement).pinned.size(), 6u);
}

TEST(LaneGroups, AreLinesWithAName) {
  const std::vector<LaneGroup> groups = {group(5, "mine", {4, 6})};
  LaneArrangement arrangement;
  arrangement.groups = groups;
  const LaneOrder order = arrange_lanes(kTree, {}, arrangement);
  const auto build = [&](const CollapsedLanes& collapsed) {
    return Lanes::build(kTree, {}, order.lanes, collapsed, {}, groups);
  };
  const Lanes open = build({});
  const LaneId mine = id_of(groups[0]);
  ASSERT_NE(open.line_of(mine), nullptr);
  EXPECT_EQ(label_of(kTree, {}, open, *open.line_of(mine)), "mine");
  const Lanes folded = build({mine});
  EXPECT_EQ(label_of(kTree, {}, folded, *folded.line_of(mine)), "mine · 3 lanes");
  EXPECT_EQ(folded.line_of(LaneId(5)), folded.line_of(mine)) << "where links end";
  EXPECT_EQ(folded.line_of(LaneId(kFirstGroup + 6)), nullptr);
}

}  // namespace
}  // namespace weft::layout
