#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "core/formats/profiles/callgrind/source_lines.h"

namespace weft::formats::callgrind {
namespace {

// Costs of lines that follow each other, that come again and that jump about, up to a bound.
TEST(SourceLines, AreAMapInOrder) {
  std::mt19937_64 random(1);
  constexpr size_t kEvents = 3, kMost = 2'000;
  SourceLines lines;
  lines.set_most_costs(kEvents);
  std::map<LineKey, Costs> expected;
  LineKey key;
  for (int i = 0; i < 50'000; ++i) {
    if (random() % 4 == 0) {
      const auto function = static_cast<uint32_t>(random() % 20);
      const auto file = static_cast<uint32_t>(random() % 3);
      key = {function, file, static_cast<int64_t>(random() % 100) - 10};
    } else {
      ++key.line;
    }
    const auto line = lines.find_or_add(key, [&] { return lines.size() < kMost; });
    const bool is_there = expected.contains(key) || expected.size() < kMost;
    ASSERT_EQ(line.has_value(), is_there);
    if (!line) continue;
    const Costs costs(random() % (kEvents + 1), static_cast<int64_t>(random() % 1000));
    lines.add_self(*line, costs);
    add_costs(expected[key], costs);
  }
  EXPECT_EQ(lines.size(), kMost);
  const std::vector<uint32_t> order = lines.in_order();
  ASSERT_EQ(order.size(), expected.size());
  auto next = expected.begin();
  for (const uint32_t line : order) {
    EXPECT_EQ(lines.key(line), next->first);
    EXPECT_TRUE(std::ranges::equal(lines.self(line), next->second));
    EXPECT_EQ(lines.calls(line), nullptr);
    ++next;
  }
}

TEST(SourceLines, HaveCallsWhereTheyWereAskedFor) {
  SourceLines lines;
  lines.set_most_costs(1);
  for (int64_t number = 1; number <= 3; ++number)
    lines.find_or_add({0, 0, number}, [] { return true; });
  lines.calls_of(1).calls += 2;
  lines.calls_of(1).calls += 3;
  EXPECT_EQ(lines.calls(0), nullptr);
  EXPECT_EQ(lines.calls(2), nullptr);
  ASSERT_NE(lines.calls(1), nullptr);
  EXPECT_EQ(lines.calls(1)->calls, 5);
}

}  // namespace
}  // namespace weft::formats::callgrind
