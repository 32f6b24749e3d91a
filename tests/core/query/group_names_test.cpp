#include "core/query/metrics/group_names.h"

#include <gtest/gtest.h>

namespace weft::query {
namespace {

using trace::Category;

trace::Dictionary dictionary_of(std::initializer_list<trace::EventType> types) {
  trace::Dictionary dictionary;
  for (const trace::EventType& type : types) dictionary.types.push_back(type);
  return dictionary;
}

std::vector<std::string> names_of_types(const trace::Dictionary& dictionary) {
  std::vector<Group> groups(dictionary.types.size());
  for (uint32_t i = 0; i < groups.size(); ++i) groups[i].id = i;
  return names_of(groups, GroupBy::kType, dictionary);
}

TEST(GroupNames, SayTheGroupOfTypesWithOneName) {
  EXPECT_EQ(
      names_of_types(dictionary_of({{"run", "net"}, {"run", "disk"}, {"run", ""}, {"x", "g"}})),
      (std::vector<std::string>{"run · net", "run · disk", "run", "x"}));
}

TEST(GroupNames, SayTheCategoryWhereGroupsDoNotTellThemApart) {
  EXPECT_EQ(
      names_of_types(dictionary_of({{"run", "net", Category::kState},
                                    {"run", "net", Category::kPunctual},
                                    {"run", "", Category::kVariable}})),
      (std::vector<std::string>{"run · state, net", "run · punctual, net", "run · variable"}));
}

TEST(GroupNames, NumberLanesOfOnePath) {
  trace::Dictionary dictionary;
  dictionary.lanes = {{.name = "a"}, {.name = "b"}, {.name = "a"}};
  const Group groups[] = {{.id = 0}, {.id = 1}, {.id = 2}};
  EXPECT_EQ(names_of(groups, GroupBy::kLane, dictionary),
            (std::vector<std::string>{"a · 0", "b", "a · 2"}));
  const Group pairs[] = {{.id = 0, .peer = LaneId(1)},
                         {.id = LaneId::none().value(), .peer = LaneId(2)}};
  EXPECT_EQ(names_of(pairs, GroupBy::kPair, dictionary),
            (std::vector<std::string>{"a → b", "nowhere → a"}));
}

TEST(GroupNames, SayTheGroupOfVariablesOfOneNameOnALane) {
  trace::Dictionary dictionary = dictionary_of({{"v", "net", Category::kVariable},
                                                {"v", "disk", Category::kVariable},
                                                {"w", "net", Category::kVariable}});
  dictionary.lanes = {{.name = "a"}, {.name = "b"}, {.name = "b"}};
  const auto figures = [](uint32_t lane, uint32_t type) {
    VariableFigures of;
    of.lane = LaneId(lane);
    of.variable = EventTypeId(type);
    return of;
  };
  const VariableFigures variables[] = {figures(0, 0), figures(0, 1), figures(0, 2), figures(1, 0),
                                       figures(2, 0)};
  EXPECT_EQ(
      names_of(variables, dictionary),
      (std::vector<std::string>{"a · v · net", "a · v · disk", "a · w", "b · v · 1", "b · v · 2"}));
}

TEST(GroupNames, ThatLastDoNotDependOnTheOtherGroups) {
  trace::Dictionary dictionary = dictionary_of({{"run", "net"}, {"run", "disk"}, {"x", "g"}});
  dictionary.lanes = {{.name = "a"}, {.name = "b"}, {.name = "a"}};
  const auto names = [&](std::initializer_list<uint32_t> ids, GroupBy by) {
    std::vector<Group> groups;
    for (const uint32_t id : ids) groups.push_back({.id = id});
    return lasting_names_of(groups, by, dictionary);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({1}, GroupBy::kType), Names{"run · disk"});
  EXPECT_EQ(names({2, 1, 0}, GroupBy::kType), (Names{"x", "run · disk", "run · net"}));
  EXPECT_EQ(names({2}, GroupBy::kLane), Names{"a · 2"});
  EXPECT_EQ(names({1, 0}, GroupBy::kLane), (Names{"b", "a · 0"}));
}

}  // namespace
}  // namespace weft::query
