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

}  // namespace
}  // namespace weft::query
