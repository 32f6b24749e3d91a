// Filtered rows and scans against plain loops over the records that pass.
#include "core/aggregate/filtered_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/aggregate/columns.h"
#include "core/aggregate/filtered_scan.h"
#include "core/base/thread_pool.h"
#include "core/query/columns.h"
#include "core/store/segment.h"
#include "tests/core/query/flat_events.h"

namespace weft::aggregate {
namespace {

using query::FlatEvent;
using query::random_formula;
using store::Record;
using store::Row;
using store::RowKind;
using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;
using testing_traces::ScratchFolder;

// Duration filters, so that whole subtrees can be skipped; types, so that few are.
FilterPtr random_filter(const store::Trace& trace, std::mt19937_64& random) {
  const int conditions = 1 + static_cast<int>(random() % 4);
  return std::make_shared<const Filter>(random_formula(trace, random, conditions),
                                        trace.dictionary().types.size());
}

constexpr TimeRange kAlways{Time::min(), Time::max()};

struct Passing {
  std::vector<Record> records;
  std::vector<uint64_t> indices;
};

Passing plain_passing(const store::Trace& trace, const Row& row, const Filter& filter,
                      TimeRange range) {
  Passing passing;
  for (uint64_t i = 0; i < row.count; ++i) {
    const Record record = trace.record(row, i);
    if (!query::lies_in(row, record, range)) continue;
    if (!query::passes(*filter.formula(), {&row, record})) continue;
    passing.records.push_back(record);
    passing.indices.push_back(i);
  }
  return passing;
}

bool is_same(const Record& a, const Record& b) {
  return a.begin == b.begin && a.duration == b.duration && a.type == b.type && a.peer == b.peer &&
         a.params == b.params && a.value == b.value;
}

class FilteredRowsTest : public testing::Test {
 protected:
  FilteredRowsTest() : trace_(build(random_events(31, 3, 40'000), folder_ / "t.weft")) {}

  RowId random_row() { return RowId(static_cast<uint32_t>(random_() % trace_->rows().size())); }
  TimeRange random_range() {
    const auto length = static_cast<uint64_t>(trace_->range().length().ticks);
    const auto at = [&] {
      return trace_->range().begin + Duration{static_cast<int64_t>(random_() % (length + 2))};
    };
    const auto [from, to] = std::minmax({at(), at()});
    return {from, to};
  }

  FilterPtr long_states() const {
    Condition is_long{.on = Condition::On::kDuration, .ids = {}, .test = {}};
    is_long.ticks.least = 5;
    return std::make_shared<const Filter>(where(is_long), trace_->dictionary().types.size());
  }

  ScratchFolder folder_;
  store::TracePtr trace_;
  std::mt19937_64 random_{32};
};

TEST_F(FilteredRowsTest, ScansFindWhatPassesInBothDirections) {
  ScanCount count;
  uint64_t there = 0;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const Row& row = trace_->row(random_row());
    const FilterPtr filter = random_filter(*trace_, random_);
    const TimeRange range = i % 3 == 0 ? TimeRange{Time::min(), Time::max()} : random_range();
    Passing expected = plain_passing(*trace_, row, *filter, range);
    there += row.count;
    for (const ScanOrder order : {ScanOrder::kForwards, ScanOrder::kBackwards}) {
      Passing found;
      const auto add = [&](const PassingRecords& passing) {
        found.records.insert(found.records.end(), passing.records.begin(), passing.records.end());
        found.indices.insert(found.indices.end(), passing.indices.begin(), passing.indices.end());
        return true;
      };
      EXPECT_TRUE(
          for_each_passing(row, filter->for_row(*trace_, row), range, order, add, {}, &count));
      ASSERT_EQ(found.indices, expected.indices);
      EXPECT_TRUE(std::ranges::equal(found.records, expected.records, is_same));
      std::ranges::reverse(expected.records);
      std::ranges::reverse(expected.indices);
    }
  }
  EXPECT_LT(count.records, 2 * there);  // something was skipped
}

TEST_F(FilteredRowsTest, ScansEndWhenTheyAreToldTo) {
  const Row& row = trace_->rows().front();
  const Filter all(everything(), trace_->dictionary().types.size());
  int calls = 0;
  const TimeRange whole{Time::min(), Time::max()};
  const auto once = [&](const PassingRecords&) { return ++calls < 1; };
  EXPECT_FALSE(for_each_passing(row, all.for_row(*trace_, row), whole, ScanOrder::kForwards, once));
  EXPECT_EQ(calls, 1);
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(for_each_passing(row, all.for_row(*trace_, row), whole, ScanOrder::kForwards, once,
                                source.get_token()));
  EXPECT_EQ(calls, 1);
}

TEST_F(FilteredRowsTest, LongStatesAreFoundWithoutReadingTheOthers) {
  Events events;
  for (int i = 0; i < 100'000; ++i) {
    events.states.push_back(
        {{i * 100}, {i % 25'000 == 24'999 ? 90 : 3}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  }
  const auto trace = build(events, folder_ / "long.weft");
  Condition is_long{.on = Condition::On::kDuration, .ids = {}, .test = {}};
  is_long.ticks.least = 50;
  const Filter filter(where(is_long), 1);
  const Row& row = trace->rows().front();
  ScanCount count;
  int found = 0;
  for_each_passing(
      row, filter.for_row(*trace, row), {Time::min(), Time::max()}, ScanOrder::kForwards,
      [&](const PassingRecords& passing) { return (found += int(passing.records.size())) > 0; }, {},
      &count);
  EXPECT_EQ(found, 4);
  EXPECT_LT(count.records, 4 * 2 * 512u);
}

TEST_F(FilteredRowsTest, HoldTheRecordsThatPass) {
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE(i);
    const RowId id = random_row();
    const Row& row = trace_->row(id);
    const FilterPtr filter = random_filter(*trace_, random_);
    const Passing expected = plain_passing(*trace_, row, *filter, {Time::min(), Time::max()});
    const RowPtr filtered = FilteredRows().get(trace_, id, filter, kAlways);
    ASSERT_EQ(filtered->count, expected.records.size());
    EXPECT_EQ(filtered->lane, row.lane);
    EXPECT_EQ(filtered->depth, row.depth);
    EXPECT_EQ(filtered->variable, row.variable);
    if (row.kind == RowKind::kVariable) {
      EXPECT_EQ(filtered->min_value, row.min_value);
      EXPECT_EQ(filtered->max_value, row.max_value);
    }
    int64_t busy = 0;
    Time last_end = Time::min();
    for (uint64_t k = 0; k < filtered->count; ++k) {
      const Record& record = expected.records[k];
      EXPECT_TRUE(is_same(trace_->record(*filtered, k), record));
      busy += record.duration.ticks;
      last_end = std::max(last_end, std::max(record.begin, record.end()));
    }
    if (filtered->count == 0) continue;
    EXPECT_EQ(filtered->busy, busy);
    EXPECT_EQ(filtered->first_begin, expected.records.front().begin);
    EXPECT_EQ(filtered->last_end, last_end);
  }
}

TEST_F(FilteredRowsTest, AnswerAsPlainLoopsDo) {
  for (int i = 0; i < 120; ++i) {
    SCOPED_TRACE(i);
    const RowId id = random_row();
    const Row& row = trace_->row(id);
    if (row.kind != RowKind::kState) continue;
    query::Selection selection{random_filter(*trace_, random_), random_range()};
    const auto count = static_cast<uint32_t>(1 + random_() % 50);
    const int64_t width = 1 + selection.range.length().ticks / count;
    selection.range.end = selection.range.begin + Duration{width * count};
    const RowPtr filtered = FilteredRows().get(trace_, id, selection.filter, kAlways);
    const auto found = columns(*filtered, selection.range, count);
    const auto expected = query::columns(*trace_, row, selection, count);  // tested by itself
    for (uint32_t c = 0; c < count; ++c) {
      EXPECT_EQ(
          std::tuple(found[c].count, found[c].busy, found[c].type, found[c].type_busy),
          std::tuple(expected[c].count, expected[c].busy, expected[c].type, expected[c].type_busy));
    }
  }
}

TEST_F(FilteredRowsTest, DrawWhatPassesAndNothingElse) {
  for (int i = 0; i < 120; ++i) {
    SCOPED_TRACE(i);
    const RowId id = random_row();
    const Row& row = trace_->row(id);
    if (row.kind != RowKind::kState) continue;
    const FilterPtr filter = random_filter(*trace_, random_);
    const RowPtr filtered = FilteredRows().get(trace_, id, filter, kAlways);
    GridSpan span;
    span.level = static_cast<int>(random_() % 12);
    const auto begin = static_cast<uint64_t>(trace_->range().length().ticks);
    span.first =
        (trace_->range().begin.ticks + static_cast<int64_t>(random_() % begin)) >> span.level;
    span.count = 200;
    const Duration wide_from{int64_t{16} << span.level};
    std::vector<Cell> found(span.count);
    std::vector<Wide> wides;
    cells(*filtered, span, wide_from, found, wides);
    uint64_t begins = 0;
    int64_t busy = 0;
    uint64_t wide = 0;
    for (const Record& r : plain_passing(*trace_, row, *filter, span.range()).records) {
      const bool is_wide = r.duration >= wide_from;
      wide += is_wide ? 1 : 0;
      if (is_wide) continue;
      begins += r.begin >= span.range().begin ? 1 : 0;
      busy += (std::min(r.end(), span.range().end) - std::max(r.begin, span.range().begin)).ticks;
    }
    for (const Cell& cell : found) {
      begins -= cell.begins;
      busy -= cell.busy;
    }
    EXPECT_EQ(begins, 0u);
    EXPECT_EQ(busy, 0);
    EXPECT_EQ(wides.size(), wide);
  }
}

// With chunks of a few records, each question covers parts of which some are not there.
TEST_F(FilteredRowsTest, LongRowsAreWholeWhereTheyAreAskedAbout) {
  uint64_t left_out = 0;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const RowId id = random_row();
    const Row& row = trace_->row(id);
    const FilterPtr filter = random_filter(*trace_, random_);
    const TimeRange range = random_range();
    FilteredRows rows(uint64_t{1} << 30, 1 + random_() % 100);
    const RowPtr filtered = rows.get(trace_, id, filter, range);
    const Passing expected = plain_passing(*trace_, row, *filter, range);
    Passing found;
    trace_->for_each(*filtered, range, [&](const Record& record) {
      found.records.push_back(record);
      return true;
    });
    EXPECT_TRUE(std::ranges::equal(found.records, expected.records, is_same));
    const RowPtr whole = rows.get(trace_, id, filter, kAlways);
    EXPECT_EQ(whole->count, plain_passing(*trace_, row, *filter, kAlways).records.size());
    left_out += whole->count - filtered->count;

    GridSpan span;
    span.level = static_cast<int>(random_() % 10);
    span.first = range.begin.ticks >> span.level;
    span.count = 200;
    const Duration wide_from{int64_t{16} << span.level};
    const auto drawn = [&](const Row& of) {
      std::vector<Cell> made(span.count);
      std::vector<Wide> wides;
      cells(of, span, wide_from, made, wides);
      std::vector<std::array<int64_t, 6>> values;
      for (const Cell& cell : made) {
        values.push_back({int64_t(cell.begins), cell.busy, cell.is_carried,
                          std::bit_cast<int32_t>(cell.min_value),
                          std::bit_cast<int32_t>(cell.max_value),
                          std::bit_cast<int64_t>(cell.last_value)});
      }
      for (const Wide& wide : wides) {
        values.push_back({wide.begin.ticks, wide.duration.ticks, int64_t(wide.type.value())});
      }
      return values;
    };
    EXPECT_EQ(drawn(*rows.get(trace_, id, filter, span.range())),
              drawn(*FilteredRows().get(trace_, id, filter, kAlways)));
  }
  EXPECT_GT(left_out, 10'000u);
}

TEST_F(FilteredRowsTest, WhereEverythingPassesAreTheStoredRows) {
  const auto all = std::make_shared<const Filter>(everything(), trace_->dictionary().types.size());
  FilteredRows rows;
  EXPECT_EQ(rows.get(trace_, RowId(0), all, kAlways).get(), &trace_->rows()[0]);
  EXPECT_EQ(rows.get(trace_, RowId(0), nullptr, kAlways).get(), &trace_->rows()[0]);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(rows.get(trace_, RowId(0), long_states(), kAlways, source.get_token()), nullptr);
}

TEST_F(FilteredRowsTest, AreBuiltOnceByManyWorkersAndKeptWithinTheirBound) {
  const FilterPtr filter = long_states();
  // The address of the row's first part: another one once it is remade.
  const auto segment_of = [](const RowPtr& row) { return &row->parts.front().segment(); };
  FilteredRows rows(uint64_t{1} << 30);
  std::vector<RowPtr> got(64);
  ThreadPool pool(4);
  pool.for_each(got.size(), [&](size_t i) {
    got[i] = rows.get(trace_, RowId(static_cast<uint32_t>(i % 4)), filter, kAlways);
  });
  for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(segment_of(got[i]), segment_of(got[i % 4]));
  EXPECT_GT(rows.size_bytes(), 0u);

  FilteredRows few(rows.size_bytes() / 2);
  const RowPtr oldest = few.get(trace_, RowId(0), filter, kAlways);
  for (uint32_t round = 0; round < 3; ++round) {
    for (uint32_t i = 0; i < 4; ++i) {
      const RowPtr row = few.get(trace_, RowId(i), filter, kAlways);
      EXPECT_EQ(row->count, got[i]->count);
      EXPECT_EQ(segment_of(few.get(trace_, RowId(i), filter, kAlways)),
                segment_of(row));  // the newest stays
    }
  }
  EXPECT_LE(few.size_bytes(), std::max(rows.size_bytes() / 2, uint64_t{1} << 20));
  EXPECT_NE(segment_of(few.get(trace_, RowId(0), filter, kAlways)), segment_of(oldest));

  const uint64_t before = rows.size_bytes();
  EXPECT_FALSE(rows.set_max_bytes(before / 2).empty());
  EXPECT_LE(rows.size_bytes(), before / 2);
  EXPECT_EQ(rows.get(trace_, RowId(0), filter, kAlways)->count, got[0]->count);
  EXPECT_TRUE(rows.set_max_bytes(before).empty());
}

}  // namespace
}  // namespace weft::aggregate
