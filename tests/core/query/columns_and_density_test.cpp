#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "core/aggregate/columns.h"
#include "core/base/thread_pool.h"
#include "core/query/columns.h"
#include "core/query/density.h"
#include "core/query/event_index.h"
#include "core/query/filter/filter_compiler.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using aggregate::Column;
using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

// One column as cli.md defines it, from the list of events.
Column plain_column(const std::vector<FlatEvent>& all, const store::Row& row,
                    const Selection& selection, TimeRange range) {
  Column column;
  std::map<EventTypeId, std::pair<int64_t, uint64_t>> types;  // busy, count
  for (const FlatEvent& event : all) {
    if (event.row != &row || !passes(*selection.filter->formula(), event)) continue;
    const store::Record& r = event.record;
    if (!lies_in(row, r, range)) continue;
    const Duration overlap = std::min(r.end(), range.end) - std::max(r.begin, range.begin);
    ++column.count;
    column.busy += overlap.ticks;
    auto& type = types[r.type];
    type.first += overlap.ticks;
    ++type.second;
  }
  std::pair<int64_t, uint64_t> most;
  for (const auto& [type, weight] : types) {
    if (weight <= most) continue;
    most = weight;
    column.type = type;
    column.type_busy = weight.first;
  }
  return column;
}

TEST(Columns, EqualAPlainLoopWithAndWithoutAFilter) {
  const ScratchFolder folder;
  const auto trace = build(random_events(8, 2, 1500), folder / "t.weft");
  const auto all = flat_events(*trace);
  std::mt19937_64 random(9);
  for (int i = 0; i < 60; ++i) {
    Selection selection = random_selection(*trace, random);
    const auto count = static_cast<uint32_t>(1 + random() % 40);
    const int64_t width = 1 + selection.range.length().ticks / count;
    selection.range.end = selection.range.begin + Duration{width * count};
    ASSERT_TRUE(check_columns(selection.range, count));
    const store::Row& row = trace->rows()[random() % trace->rows().size()];
    if (row.kind != store::RowKind::kState) continue;
    const auto found = columns(*trace, row, selection, count);
    ASSERT_EQ(found.size(), count);
    for (uint32_t c = 0; c < count; ++c) {
      SCOPED_TRACE(testing::Message() << "selection " << i << ", column " << c);
      const Time begin = selection.range.begin + Duration{width * c};
      const Column expected = plain_column(all, row, selection, {begin, begin + Duration{width}});
      EXPECT_EQ(found[c].count, expected.count);
      EXPECT_EQ(found[c].busy, expected.busy);
      EXPECT_EQ(found[c].type, expected.type);
      EXPECT_EQ(found[c].type_busy, expected.type_busy);
    }
  }
}

TEST(Columns, AreRefusedWhereTheyDoNotDivideTheRange) {
  EXPECT_TRUE(check_columns({{10}, {40}}, 3));
  EXPECT_FALSE(check_columns({{10}, {40}}, 7));
  EXPECT_FALSE(check_columns({{10}, {40}}, 0));
  EXPECT_FALSE(check_columns({{10}, {10}}, 1));
  EXPECT_TRUE(check_columns({Time::min(), Time::max()}, 5));  // 2^64 - 1 ticks
}

TEST(Density, SumsToTheEventsThatBeginInTheRange) {
  const ScratchFolder folder;
  Events events = random_events(10, 3, 3000);
  for (size_t i = 0; i < events.links.size(); i += 3) {  // lost on the way
    (i % 2 == 0 ? events.links[i].source : events.links[i].target) = LaneId::none();
  }
  const auto trace = build(events, folder / "t.weft");
  const auto all = flat_events(*trace);
  ThreadPool pool(2);
  const auto whole = density(*trace, Selection::all(*trace), 100, pool);
  EXPECT_EQ(std::accumulate(whole.begin(), whole.end(), uint64_t{0}), trace->counts().total());

  std::mt19937_64 random(11);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = random_selection(*trace, random);
    const auto bins = static_cast<uint32_t>(1 + random() % 100);
    std::vector<uint64_t> expected(bins);
    for (const FlatEvent& event : all) {
      if (!is_in(selection, event) || !selection.range.contains(event.record.begin)) continue;
      ++expected[aggregate::bin_of(event.record.begin, selection.range, bins)];
    }
    EXPECT_EQ(density(*trace, selection, bins, pool), expected);
  }
}

TEST(Density, EndsWhereItIsToldTo) {
  const ScratchFolder folder;
  const auto trace = build(random_events(10, 3, 3000), folder / "t.weft");
  ThreadPool pool(2);
  Selection selection = Selection::all(*trace);
  selection.filter = compile_filter("dur >= 1", *trace).value();
  const auto sum = [&](const std::stop_token& stop) {
    const auto counts = density(*trace, selection, 10, {pool, stop});
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  };
  std::stop_source source;
  EXPECT_GT(sum(source.get_token()), 0u);
  source.request_stop();
  EXPECT_EQ(sum(source.get_token()), 0u);
  EXPECT_FALSE(EventIndex::make(trace, selection, pool, {}, source.get_token()));
}

TEST(Density, BinsBeginWhereIntegerDivisionSays) {
  for (const int64_t length : {1, 2, 3, 10, 97}) {
    for (const uint32_t bins : {1u, 2u, 3u, 7u, 200u}) {
      const TimeRange range{{-5}, {-5 + length}};
      for (int64_t x = 0; x < length; ++x) {
        const uint32_t bin = aggregate::bin_of({-5 + x}, range, bins);
        ASSERT_LT(bin, bins);
        EXPECT_LE(static_cast<int64_t>(bin) * length / bins, x);
        EXPECT_GT(static_cast<int64_t>(bin + 1) * length / bins, x);
      }
    }
  }
}

}  // namespace
}  // namespace weft::query
