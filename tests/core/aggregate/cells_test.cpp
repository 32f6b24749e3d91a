#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "core/aggregate/columns.h"
#include "tests/core/store/random_trace.h"

namespace weft::aggregate {
namespace {

using store::Record;
using store::Row;
using store::RowKind;

constexpr TimeRange kEver{Time::min(), Time::max()};

class CellsTest : public ::testing::TestWithParam<uint32_t> {
 protected:
  testing_traces::ScratchFolder folder_;
};

// Every record is in exactly one cell or among the wide ones, and busy time is exact, at every
// zoom.
TEST_P(CellsTest, HoldEveryRecordAndAllItsTimeAtEveryLevel) {
  const int64_t origin = GetParam() % 2 == 0 ? 0 : -50'000;
  const auto trace = testing_traces::build(
      testing_traces::random_events(GetParam(), 2, 4000, origin), folder_ / "t.weft");
  std::mt19937_64 random(GetParam());
  for (const Row& row : trace->rows()) {
    std::vector<Record> records;
    trace->for_each(row, kEver, [&](const Record& r) {
      records.push_back(r);
      return true;
    });
    const bool is_interval = row.kind == RowKind::kState;
    for (int level = 0; level < 20; ++level) {
      GridSpan span{level, 0, 64 + static_cast<uint32_t>(random() % 200)};
      const int64_t begin = trace->range().begin.ticks;
      span.first = (begin + static_cast<int64_t>(
                                random() % static_cast<uint64_t>(trace->range().length().ticks))) >>
                   level;
      const int64_t wide_from = int64_t{8} << level;
      std::vector<Cell> found(span.count);
      std::vector<Wide> wides;
      cells(row, span, {wide_from}, found, wides);

      std::vector<uint32_t> begins(span.count);
      std::vector<int64_t> busy(span.count);
      std::vector<std::set<uint32_t>> types(span.count);
      std::vector<std::pair<int64_t, int64_t>> wide;
      const TimeRange range = span.range();
      for (const Record& r : records) {
        if (is_interval && r.duration.ticks >= wide_from) {
          if (r.begin < range.end && r.end() > range.begin)
            wide.emplace_back(r.begin.ticks, r.duration.ticks);
          continue;
        }
        if (range.contains(r.begin)) {
          const auto at = static_cast<size_t>((r.begin.ticks >> level) - span.first);
          ++begins[at];
          types[at].insert(r.type.value());
        }
        for (uint32_t i = 0; is_interval && i < span.count; ++i) {
          const int64_t from = std::max(r.begin, span.time_of(span.first + i)).ticks;
          const int64_t to = std::min(r.end(), span.time_of(span.first + i + 1)).ticks;
          busy[i] += std::max<int64_t>(0, to - from);
        }
      }
      ASSERT_EQ(wides.size(), wide.size());
      for (size_t i = 0; i < wide.size(); ++i) {
        ASSERT_EQ(wides[i].begin.ticks, wide[i].first);
        ASSERT_EQ(wides[i].duration.ticks, wide[i].second);
      }
      for (uint32_t i = 0; i < span.count; ++i) {
        ASSERT_EQ(found[i].begins, begins[i]) << level << " " << i;
        ASSERT_EQ(found[i].busy, busy[i]) << level << " " << i;
        ASSERT_EQ(found[i].is_empty(), begins[i] == 0 && busy[i] == 0 && !found[i].is_carried);
        // Also where all that is narrow here began before, and a wide state follows it.
        ASSERT_TRUE(busy[i] == 0 || !found[i].type.is_none()) << level << " " << i;
        if (begins[i] > 0) {
          ASSERT_TRUE(types[i].contains(found[i].type.value()));
          ASSERT_EQ(found[i].rest == 0, types[i].size() == 1) << level << " " << i;
        }
      }
    }
  }
}

// The bound that makes a frame's cost depend on pixels only, counted.
TEST_P(CellsTest, ReadAtMostFourNodesForEachColumn) {
  const auto trace = testing_traces::build(testing_traces::random_events(GetParam(), 1, 200'000),
                                           folder_ / "t.weft");
  for (const Row& row : trace->rows()) {
    if (row.count < 1000) continue;
    for (int level = 0; level < 40; ++level) {
      const int64_t first = trace->range().begin.ticks >> level;
      const int64_t columns =
          std::min<int64_t>((trace->range().end.ticks >> level) - first + 1, 2000);
      GridSpan span{level, first, static_cast<uint32_t>(columns)};
      std::vector<Cell> found(span.count);
      std::vector<Wide> wides;
      ReadCount reads;
      cells(row, span, {int64_t{8} << level}, found, wides, &reads);
      constexpr uint64_t kPath = 64;  // to the first column and to wide states, once a query
      EXPECT_LE(reads.nodes, 4 * static_cast<uint64_t>(columns) + kPath) << level;
    }
  }
}

TEST_P(CellsTest, VariablesShowTheirRangeAndHoldTheirLastValue) {
  const auto trace =
      testing_traces::build(testing_traces::random_events(GetParam(), 1, 3000), folder_ / "t.weft");
  for (const Row& row : trace->rows()) {
    if (row.kind != RowKind::kVariable) continue;
    const GridSpan span{6, (trace->range().begin.ticks >> 6) + 10, 300};
    std::vector<Cell> found(span.count);
    std::vector<Wide> wides;
    cells(row, span, {1 << 9}, found, wides);
    std::optional<double> last;
    Time last_at;
    trace->for_each(row, {Time::min(), span.range().begin}, [&](const Record& r) {
      last = r.value;
      last_at = r.begin;
      return true;
    });
    for (uint32_t i = 0; i < span.count; ++i) {
      double least = 1e300, most = -1e300;
      bool has_any = false;
      trace->for_each(row, {span.time_of(span.first + i), span.time_of(span.first + i + 1)},
                      [&](const Record& r) {
                        least = std::min(least, r.value);
                        most = std::max(most, r.value);
                        last = r.value;
                        last_at = r.begin;
                        return has_any = true;
                      });
      if (has_any) {
        ASSERT_EQ(found[i].min_value, static_cast<float>(least));
        ASSERT_EQ(found[i].max_value, static_cast<float>(most));
      }
      if (last) {
        ASSERT_EQ(found[i].last_value, *last);
        ASSERT_EQ(found[i].last_begin, last_at);
      } else {
        ASSERT_TRUE(found[i].is_empty());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CellsTest, ::testing::Range(0u, 4u));

}  // namespace
}  // namespace weft::aggregate
