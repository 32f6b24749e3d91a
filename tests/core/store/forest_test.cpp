#include "core/store/forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace weft::store {
namespace {

using Groups = std::vector<std::vector<int64_t>>;

Record state(int64_t begin, int64_t duration, uint32_t type) {
  Record r;
  r.begin = {begin};
  r.duration = {duration};
  r.type = EventTypeId(type);
  return r;
}

// The groups of records with these begins, given `at_once` at a time.
Groups group(const std::vector<int64_t>& begins, uint32_t capacity, size_t at_once) {
  Groups groups;
  RadixGrouper<Record> grouper(capacity);
  const auto emit = [&](std::span<const Record> records) {
    auto& g = groups.emplace_back();
    for (const Record& r : records) g.push_back(r.begin.ticks);
  };
  std::vector<Record> records;
  for (const int64_t begin : begins) records.push_back(state(begin, 0, 0));
  for (std::span<const Record> left(records); !left.empty();) {
    const size_t n = std::min(at_once, left.size());
    grouper.add(left.first(n), emit);
    left = left.subspan(n);
  }
  grouper.finish(emit);
  return groups;
}

// The definition, by recursion: the maximal subtrees of the radix tree with at most `capacity`.
void expected_groups(std::span<const int64_t> begins, uint32_t capacity, Groups& out) {
  if (begins.empty()) return;
  if (begins.size() <= capacity || begins.front() == begins.back()) {
    out.emplace_back(begins.begin(), begins.end());
    return;
  }
  const auto differing = static_cast<uint64_t>(begins.front() ^ begins.back());
  const int bit = static_cast<int>(std::bit_width(differing)) - 1;
  size_t split = 0;
  while ((static_cast<uint64_t>(begins[split] ^ begins.front()) >> bit) == 0) ++split;
  expected_groups(begins.first(split), capacity, out);
  expected_groups(begins.subspan(split), capacity, out);
}

TEST(RadixGrouper, MakesTheMaximalSubtrees) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 400; ++round) {
    std::vector<int64_t> begins;
    int64_t t = static_cast<int64_t>(random() % 1000) - 500;
    const size_t n = random() % 200;
    for (size_t i = 0; i < n; ++i)
      begins.push_back(t += 1 + static_cast<int64_t>(random() % (1u << random() % 20)));
    for (uint32_t capacity : {1u, 2u, 4u, 12u}) {
      Groups expected;
      expected_groups(begins, capacity, expected);
      for (size_t at_once : {1u, 7u, 128u})
        ASSERT_EQ(group(begins, capacity, at_once), expected) << round << " " << capacity;
    }
  }
}

TEST(RadixGrouper, SplitsEqualBeginsByCount) {
  const Groups groups = group(std::vector<int64_t>(1000, 42), 12, 128);
  size_t total = 0;
  for (const auto& g : groups) {
    EXPECT_LE(g.size(), 12u);
    total += g.size();
  }
  EXPECT_EQ(total, 1000u);
  EXPECT_LE(groups.size(), 2 * 1000u / 12 + 2);
}

TEST(Node, KnowsTheBusiestTypeAndItsShare) {
  const Record records[] = {state(0, 10, 1), state(10, 30, 2), state(50, 10, 1)};
  const Node node = leaf_of(records, RowKind::kState);
  EXPECT_EQ(node.count, 3u);
  EXPECT_EQ(node.busy, 50);
  EXPECT_EQ(node.longest, 30);
  EXPECT_EQ(node.type, 2u);
  EXPECT_EQ(node.share, 153);  // 30/50 of 255
  EXPECT_EQ(node.rest, 102);   // 20/50
  EXPECT_EQ(leaf_of(std::span(records).first(1), RowKind::kState).rest, 0);
}

TEST(Node, BoundsHoldAfterMerging) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<Record> records;
    std::vector<Node> nodes;
    int64_t t = 0;
    for (int n = 0; n < 4; ++n) {
      const size_t begin = records.size();
      for (uint64_t i = 0, count = 1 + random() % 12; i < count; ++i) {
        const auto d = static_cast<int64_t>(random() % 100);
        records.push_back(state(t, d, static_cast<uint32_t>(random() % 4)));
        t += d + 1;
      }
      nodes.push_back(leaf_of(std::span(records).subspan(begin), RowKind::kState));
    }
    const Node node = merge_of(nodes, RowKind::kState);
    double busy[4] = {};
    for (const Record& r : records) busy[r.type.value()] += static_cast<double>(r.duration.ticks);
    const auto whole = static_cast<double>(node.busy);
    if (whole == 0) continue;
    EXPECT_GE(busy[node.type] / whole, node.share / 255.0 - 1e-9);
    for (uint32_t type = 0; type < 4; ++type) {
      if (type != node.type) {
        EXPECT_LE(busy[type] / whole, node.rest / 255.0 + 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace weft::store
