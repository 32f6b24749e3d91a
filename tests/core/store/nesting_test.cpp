#include "core/store/nesting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace weft::store {
namespace {

TEST(Nesting, GivesTheDepthOfProperlyNestedStates) {
  Nesting nesting;
  EXPECT_EQ(nesting.place(0, 100), 0u);
  EXPECT_EQ(nesting.place(0, 50), 1u);
  EXPECT_EQ(nesting.place(10, 20), 2u);
  EXPECT_EQ(nesting.place(20, 50), 2u);
  EXPECT_EQ(nesting.place(50, 100), 1u);
  EXPECT_EQ(nesting.place(100, 101), 0u);
}

TEST(Nesting, PacksOverlappingStatesIntoAsFewRowsAsTheyNeed) {
  Nesting nesting;
  EXPECT_EQ(nesting.place(0, 10), 0u);
  EXPECT_EQ(nesting.place(5, 15), 1u);
  EXPECT_EQ(nesting.place(10, 20), 0u);
  EXPECT_EQ(nesting.place(15, 25), 1u);
}

TEST(Nesting, CountsWhatEndsBehindOneThatBeganBefore) {
  Nesting nesting;
  (void)nesting.place(0, 100);
  (void)nesting.place(10, 90);
  EXPECT_EQ(nesting.overlaps().states, 0u);
  (void)nesting.place(20, 95);  // behind the end of the second
  (void)nesting.place(30, 40);  // in all of them
  (void)nesting.place(50, 200);
  EXPECT_EQ(nesting.overlaps().states, 2u);
  EXPECT_EQ(nesting.overlaps().first, 20);
  (void)nesting.place(200, 210);  // nothing is open
  (void)nesting.place(205, 215);
  EXPECT_EQ(nesting.overlaps().states, 3u);
}

TEST(Nesting, RefusesWhatWouldNeedARowTooMany) {
  constexpr int64_t kMost = Nesting::kMostRows;
  Nesting nested;
  for (int64_t i = 0; i < kMost; ++i) ASSERT_EQ(nested.place(i, 4 * kMost - i), i);
  EXPECT_EQ(nested.place(kMost, kMost + 2), Nesting::kMostRows);
  EXPECT_EQ(nested.place(kMost + 1, kMost + 3), Nesting::kMostRows) << "it is not open";
  EXPECT_EQ(nested.refused().states, 2u);
  EXPECT_EQ(nested.refused().first, kMost);
  EXPECT_EQ(nested.place(4 * kMost, 4 * kMost + 1), 0u);
  Nesting tangled;
  for (int64_t i = 0; i < kMost; ++i) ASSERT_EQ(tangled.place(i, 2 * kMost + i), i);
  EXPECT_EQ(tangled.place(kMost, 9 * kMost), Nesting::kMostRows);
  EXPECT_EQ(tangled.place(2 * kMost, 9 * kMost), 0u) << "the first has ended";
  EXPECT_EQ(tangled.refused().states, 1u);
}

TEST(Nesting, PutsInstantsSideBySide) {
  Nesting nesting;
  EXPECT_EQ(nesting.place(5, 5), 0u);
  EXPECT_EQ(nesting.place(5, 5), 0u);
}

// The definition: the lowest row whose states have all ended.
class FirstFit {
 public:
  uint32_t place(int64_t begin, int64_t end) {
    size_t row = 0;
    while (row < ends_.size() && ends_[row] > begin) ++row;
    if (row == ends_.size()) ends_.push_back(end);
    ends_[row] = end;
    return static_cast<uint32_t>(row);
  }

 private:
  std::vector<int64_t> ends_;
};

TEST(Nesting, IsFirstFitWhetherStatesNestOrOverlap) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 500; ++round) {
    Nesting nesting;
    FirstFit expected;
    const uint64_t longest = 1 + random() % 40;
    int64_t begin = 0;
    for (int i = 0; i < 300; ++i) {
      begin += static_cast<int64_t>(random() % 4);
      if (random() % 30 == 0) begin += 100;  // a pause: nothing is open behind it
      const int64_t end = begin + static_cast<int64_t>(random() % longest);
      ASSERT_EQ(nesting.place(begin, end), expected.place(begin, end)) << round << " " << i;
    }
  }
}

Record record(int64_t begin, int64_t duration, uint32_t nesting) {
  Record r;
  r.begin = {begin};
  r.duration = {duration};
  r.peer = LaneId(nesting);
  return r;
}

TEST(SortRecords, PutsTheOuterFirst) {
  std::vector<Record> scratch;
  std::vector<Record> records = {record(5, 1, 3), record(5, 1, 2), record(5, 9, 1),
                                 record(0, 1, 0)};
  sort_records(records, RowKind::kState, scratch);
  EXPECT_EQ(records[0].begin.ticks, 0);
  EXPECT_EQ(records[1].duration.ticks, 9);
  EXPECT_EQ(records[2].peer.value(), 2u);
  EXPECT_EQ(records[3].peer.value(), 3u);
}

// Sorted by the definition; `peer` tells records apart that are equal otherwise.
void expect_sorted(std::vector<Record> records, RowKind kind) {
  const auto key = [kind](const Record& r) {
    const bool is_state = kind == RowKind::kState;
    return std::tuple(r.begin.ticks, is_state ? -r.duration.ticks : 0,
                      is_state ? r.peer.value() : 0);
  };
  for (size_t i = 0; i < records.size(); ++i) records[i].value = static_cast<double>(i);
  std::vector<Record> expected = records;
  std::ranges::stable_sort(expected, {}, key);
  std::vector<Record> scratch;
  sort_records(records, kind, scratch);
  ASSERT_EQ(records.size(), expected.size());
  for (size_t i = 0; i < records.size(); ++i) {
    ASSERT_EQ(key(records[i]), key(expected[i])) << i;
    ASSERT_EQ(records[i].value, expected[i].value) << i;
  }
}

// Random calls of functions, each given when it returns. `step`: how much time passes at most
// between two of these.
std::vector<Record> calls(std::mt19937_64& random, size_t count, uint64_t step) {
  std::vector<Record> records;
  std::vector<int64_t> open;
  int64_t now = 0;
  while (records.size() < count) {
    now += static_cast<int64_t>(random() % step);
    if (open.empty() || (open.size() < 9 && random() % 2 == 0)) {
      open.push_back(now);
    } else {
      records.push_back(record(open.back(), now - open.back(), 0));
      open.pop_back();
    }
  }
  return records;
}

TEST(SortRecords, AgreesWithAStableSortOverWideSpans) {
  std::mt19937_64 random(3);
  for (int bits : {1, 8, 30, 63}) {
    std::vector<Record> records;
    for (uint32_t i = 0; i < 5000; ++i) {
      const uint64_t mask = (uint64_t{1} << bits) - 1;
      records.push_back(record(static_cast<int64_t>((random() & mask) >> 1),
                               static_cast<int64_t>(random() % 3), i % 5));
    }
    expect_sorted(records, RowKind::kPunctual);
    expect_sorted(records, RowKind::kState);
  }
}

TEST(SortRecords, TakesStatesInOrderOfEnd) {
  std::mt19937_64 random(13);
  for (uint64_t step : {1u, 2u, 4u, 1000u}) {  // 1 and 2: many begin and end together
    for (size_t count : {3u, 100u, 5000u})
      for (int round = 0; round < 20; ++round)
        expect_sorted(calls(random, count, step), RowKind::kState);
  }
}

TEST(SortRecords, TakesSortedRunsWithStragglers) {
  std::mt19937_64 random(17);
  for (size_t stragglers : {0u, 1u, 20u, 5000u}) {  // few, and too many to be called that
    std::vector<Record> records;
    for (int run = 0; run < 4; ++run) {
      std::vector<Record> part;
      for (int i = 0; i < 3000; ++i) part.push_back(record(run * 10000 + 3 * i, 2, 0));
      for (size_t i = 0; i < stragglers; ++i) {
        const auto begin = static_cast<int64_t>(random() % 40000);
        part.push_back(record(begin, static_cast<int64_t>(random() % 3), 0));
      }
      std::ranges::stable_sort(
          part, {}, [](const Record& r) { return std::tuple(r.begin.ticks, -r.duration.ticks); });
      records.insert(records.end(), part.begin(), part.end());
    }
    expect_sorted(records, RowKind::kState);
    expect_sorted(records, RowKind::kLinkIn);
  }
}

}  // namespace
}  // namespace weft::store
