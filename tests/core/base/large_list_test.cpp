#include "core/base/large_list.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weft {
namespace {

TEST(LargeList, ValuesStayWhereTheyAre) {
  LargeList<std::string> list;
  std::vector<const std::string*> places;
  for (int i = 0; i < 5'000; ++i) places.push_back(&list.emplace_back(std::to_string(i)));
  ASSERT_EQ(list.size(), places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    ASSERT_EQ(&list[i], places[i]);
    ASSERT_EQ(list[i], std::to_string(i));
  }
  size_t count = 0;
  for (const std::string& text : std::as_const(list)) ASSERT_EQ(&text, places[count++]);
  EXPECT_EQ(count, places.size());
}

TEST(LargeList, EndsItsValuesAndGivesThemAway) {
  const auto counted = std::make_shared<int>();
  {
    LargeList<std::shared_ptr<int>> list;
    for (int i = 0; i < 100; ++i) list.emplace_back(counted);
    LargeList<std::shared_ptr<int>> other(std::move(list));
    EXPECT_EQ(other.size(), 100U);
    EXPECT_EQ(counted.use_count(), 101);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(LargeList, ManyValuesAreLargeArrays) {
  const uint64_t before = large_arrays_use().memory_bytes;
  LargeList<uint64_t> list;
  while (list.size() < kLeastLargeBytes) list.emplace_back(list.size());
  EXPECT_GE(large_arrays_use().memory_bytes, before + kLeastLargeBytes);
}

}  // namespace
}  // namespace weft
