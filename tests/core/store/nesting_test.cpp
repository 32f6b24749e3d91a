#include "core/store/nesting.h"

#include <gtest/gtest.h>

#include <random>

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

TEST(Nesting, PutsInstantsSideBySide) {
  Nesting nesting;
  EXPECT_EQ(nesting.place(5, 5), 0u);
  EXPECT_EQ(nesting.place(5, 5), 0u);
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

TEST(SortRecords, AgreesWithAStableSortOverWideSpans) {
  std::mt19937_64 random(3);
  for (int bits : {1, 8, 30, 64}) {
    std::vector<Record> records;
    std::vector<Record> scratch;
    for (uint32_t i = 0; i < 5000; ++i) {
      const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
      records.push_back(
          record(static_cast<int64_t>(random() & mask), static_cast<int64_t>(random() % 3), i));
    }
    std::vector<Record> expected = records;
    std::stable_sort(expected.begin(), expected.end(),
                     [](const Record& a, const Record& b) { return a.begin < b.begin; });
    sort_records(records, RowKind::kPunctual, scratch);
    for (size_t i = 0; i < records.size(); ++i) {
      ASSERT_EQ(records[i].begin, expected[i].begin) << bits;
      ASSERT_EQ(records[i].peer, expected[i].peer) << bits;
    }
  }
}

}  // namespace
}  // namespace weft::store
