#include "core/aggregate/columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/core/store/random_trace.h"

namespace weft::aggregate {
namespace {

using store::Record;
using store::Row;
using store::RowKind;

constexpr TimeRange kAllTime{Time::min(), Time::max()};

std::vector<Record> records_of(const store::Trace& trace, const Row& row) {
  std::vector<Record> records;
  trace.for_each(row, kAllTime, [&](const Record& r) {
    records.push_back(r);
    return true;
  });
  return records;
}

// The definitions, as plain loops.
int64_t overlap(const Record& r, bool is_interval, TimeRange range) {
  if (!is_interval) return 0;
  return std::max<int64_t>(
      0, std::min(r.end(), range.end).ticks - std::max(r.begin, range.begin).ticks);
}
bool is_in(const Record& r, bool is_interval, TimeRange range) {
  return range.contains(r.begin) || overlap(r, is_interval, range) > 0;
}

Column plain_column(const std::vector<Record>& records, bool is_interval, TimeRange range) {
  struct Total {
    int64_t busy = 0;
    uint64_t count = 0;
  };
  std::map<uint32_t, Total> types;
  Column column;
  for (const Record& r : records) {
    if (!is_in(r, is_interval, range)) continue;
    ++column.count;
    column.busy += overlap(r, is_interval, range);
    types[r.type.value()].busy += overlap(r, is_interval, range);
    ++types[r.type.value()].count;
  }
  uint64_t best_count = 0;
  for (const auto& [type, total] : types) {
    if (best_count > 0 &&
        std::tie(total.busy, total.count) <= std::tie(column.type_busy, best_count))
      continue;
    column.type = EventTypeId(type);
    column.type_busy = total.busy;
    best_count = total.count;
  }
  return column;
}

int64_t plain_longest(const std::vector<Record>& records, bool is_interval, TimeRange range) {
  int64_t longest = 0;
  for (const Record& r : records) {
    if (is_in(r, is_interval, range)) longest = std::max(longest, r.duration.ticks);
  }
  return longest;
}

class ColumnsTest : public ::testing::TestWithParam<uint32_t> {
 protected:
  testing_traces::ScratchFolder folder_;
};

TEST_P(ColumnsTest, AgreeWithAPlainLoopOverAnyRange) {
  const auto trace =
      testing_traces::build(testing_traces::random_events(GetParam(), 2, 3000), folder_ / "t.weft");
  std::mt19937_64 random(GetParam());
  for (const Row& row : trace->rows()) {
    const std::vector<Record> records = records_of(*trace, row);
    const bool is_interval = row.kind == RowKind::kState;
    for (int round = 0; round < 12; ++round) {
      const int64_t width = 1 + static_cast<int64_t>(random() % (1u << random() % 14));
      const uint32_t count = 1 + static_cast<uint32_t>(random() % 60);
      const int64_t span = trace->range().length().ticks + 200;
      const Time begin{trace->range().begin.ticks - 100 +
                       static_cast<int64_t>(random() % static_cast<uint64_t>(span))};
      const TimeRange range{begin, begin + Duration{width * count}};
      const std::vector<Column> found = columns(row, range, count);
      for (uint32_t i = 0; i < count; ++i) {
        const TimeRange one{begin + Duration{width * i}, begin + Duration{width * (i + 1)}};
        const Column expected = plain_column(records, is_interval, one);
        ASSERT_EQ(found[i].count, expected.count);
        ASSERT_EQ(found[i].busy, expected.busy);
        ASSERT_EQ(found[i].type, expected.type);
        ASSERT_EQ(found[i].type_busy, expected.type_busy);
      }
      const Summary summary = summarize(row, range);
      const Column whole = plain_column(records, is_interval, range);
      ASSERT_EQ(summary.count, whole.count);
      ASSERT_EQ(summary.busy, whole.busy);
      ASSERT_EQ(summary.longest, plain_longest(records, is_interval, range));
      const TypeShares shares = types_in(row, range, 1'000'000);
      uint64_t sum = 0;
      for (const TypeShare& s : shares.types) sum += s.count;
      ASSERT_EQ(sum, whole.count);
    }
  }
}

TEST_P(ColumnsTest, EveryRangeOfASmallRow) {
  const auto trace = testing_traces::build(testing_traces::random_events(GetParam() + 100, 1, 40),
                                           folder_ / "t.weft");
  for (const Row& row : trace->rows()) {
    const std::vector<Record> records = records_of(*trace, row);
    const int64_t end =
        std::min<int64_t>(trace->range().end.ticks, trace->range().begin.ticks + 160);
    for (int64_t a = trace->range().begin.ticks - 1; a < end; a += 3) {
      for (int64_t b = a + 1; b < end; b += 2) {
        const TimeRange range{{a}, {b}};
        const Column expected = plain_column(records, row.kind == RowKind::kState, range);
        const std::vector<Column> found = columns(row, range, 1);
        ASSERT_EQ(found[0].count, expected.count);
        ASSERT_EQ(found[0].busy, expected.busy);
        ASSERT_EQ(summarize(row, range).count, expected.count);
        ASSERT_EQ(summarize(row, range).busy, expected.busy);
        ASSERT_EQ(summarize(row, range).longest,
                  plain_longest(records, row.kind == RowKind::kState, range));
      }
    }
  }
}

TEST_P(ColumnsTest, DensitySumsToWhatBeginsInTheRange) {
  const auto trace =
      testing_traces::build(testing_traces::random_events(GetParam(), 3, 4000), folder_ / "t.weft");
  std::mt19937_64 random(GetParam());
  for (const Row& row : trace->rows()) {
    const std::vector<Record> records = records_of(*trace, row);
    for (const uint32_t n : {1u, 7u, 100u, 1999u}) {
      std::vector<uint64_t> bins(n);
      density(row, trace->range(), bins);
      const auto length = static_cast<uint64_t>(trace->range().length().ticks);
      std::vector<uint64_t> expected(n);
      for (const Record& r : records) {
        uint32_t bin = n - 1;
        const auto at = static_cast<uint64_t>((r.begin - trace->range().begin).ticks);
        while (bin > 0 && bin * length / n > at) --bin;
        ++expected[bin];
      }
      ASSERT_EQ(bins, expected) << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ColumnsTest, ::testing::Range(0u, 6u));

}  // namespace
}  // namespace weft::aggregate
