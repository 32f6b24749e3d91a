// covers B-05: what a selected range adds up to, of each category, by a plain loop
#include "core/query/metrics/selection_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <tuple>

#include "core/base/thread_pool.h"
#include "core/query/link_ends.h"
#include "core/query/metrics/group_names.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using store::RowKind;
using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;
using trace::Category;

constexpr double kNone = VariableFigures::kNone;

// A group: a type, a lane, or a pair of lanes.
using GroupOf = std::pair<uint32_t, uint32_t>;

GroupOf group_of_event(const FlatEvent& event, GroupBy by) {
  if (by == GroupBy::kType) return {event.record.type.value(), 0};
  if (by == GroupBy::kLane) return {event.row->lane.value(), 0};
  const LinkEnds ends = ends_of(event.row->kind, event.row->lane, event.record);
  return {ends.source.value(), ends.target.value()};
}

std::map<GroupOf, uint64_t> plain_counts(const std::vector<FlatEvent>& all,
                                         const Selection& selection, Category category,
                                         GroupBy by) {
  std::map<GroupOf, uint64_t> counts;
  for (const FlatEvent& event : all) {
    if (category_of(event.row->kind) == category && is_in(selection, event))
      ++counts[group_of_event(event, by)];
  }
  return counts;
}

std::map<GroupOf, uint64_t> counts_of(const Statistics& statistics, GroupBy by) {
  std::map<GroupOf, uint64_t> counts;
  for (const Group& group : statistics.groups)
    counts[{group.id, by == GroupBy::kPair ? group.peer.value() : 0}] = group.count;
  return counts;
}

TEST(SelectionStatistics, CountPunctualEventsAndLinksAsAPlainLoopDoes) {
  const ScratchFolder folder;
  const auto trace = build(random_events(61, 4, 900), folder / "t.weft");
  const auto all = flat_events(*trace);
  std::mt19937_64 random(62);
  ThreadPool pool(2);
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = i == 0 ? Selection::all(*trace) : random_selection(*trace, random);
    for (const GroupBy by : {GroupBy::kType, GroupBy::kLane, GroupBy::kPair}) {
      for (const Category category : {Category::kPunctual, Category::kLink}) {
        if (by == GroupBy::kPair && category != Category::kLink) continue;
        const auto found = measure_selection(*trace, selection, category, by, pool);
        ASSERT_TRUE(found);
        const auto expected = plain_counts(all, selection, category, by);
        EXPECT_EQ(counts_of(found->counts, by), expected);
        // Every link of this trace has both ends.
        if (category == Category::kLink) {
          EXPECT_EQ(counts_of(found->values, by), expected);
        }
      }
    }
  }
}

TEST(SelectionStatistics, HaveRatesOfASecond) {
  EXPECT_EQ(rate_of(5, {{0}, {2'000'000'000}}, TimeBase::kNanoseconds), 2.5);
  EXPECT_EQ(rate_of(3, {{10}, {11}}, TimeBase::kMilliseconds), 3000);
  EXPECT_FALSE(rate_of(5, {{7}, {7}}, TimeBase::kNanoseconds));
  EXPECT_FALSE(rate_of(5, {{0}, {100}}, TimeBase::kCycles));
}

// The variables of a trace, tick by tick: at each tick of the range, what holds on each lane.
struct PlainVariable {
  uint64_t count = 0;
  double sum = 0;  // over ticks
  uint64_t ticks = 0;
  double min = kNone, max = kNone, last = kNone;
  Time last_begin = Time::min();
};

using VariableOf = std::pair<uint32_t, uint32_t>;  // variable, lane

void see(PlainVariable& plain, const store::Record& sample) {
  if (!std::isnan(sample.value)) {
    plain.min = std::isnan(plain.min) ? sample.value : std::min(plain.min, sample.value);
    plain.max = std::isnan(plain.max) ? sample.value : std::max(plain.max, sample.value);
  }
  if (sample.begin < plain.last_begin) return;
  plain.last_begin = sample.begin;
  plain.last = sample.value;
}

std::map<VariableOf, PlainVariable> plain_variables(const store::Trace& trace,
                                                    const Selection& selection, GroupBy by) {
  std::map<VariableOf, PlainVariable> variables;
  const Time end = std::min(selection.range.end, whole_range(trace).end);
  for (const store::Row& row : trace.rows()) {
    if (row.kind != RowKind::kVariable) continue;
    const VariableOf key = {row.variable.value(),
                            by == GroupBy::kLane ? row.lane.value() : LaneId::none().value()};
    for (uint64_t i = 0; i < row.count; ++i) {
      const FlatEvent sample{&row, trace.record(row, i)};
      if (!passes(*selection.filter->formula(), sample)) continue;
      const Time next = i + 1 < row.count ? trace.record(row, i + 1).begin : end;
      PlainVariable* plain = nullptr;
      if (selection.range.contains(sample.record.begin)) {
        plain = &variables[key];
        ++plain->count;
        see(*plain, sample.record);
      }
      for (Time t = std::max(sample.record.begin, selection.range.begin); t < std::min(next, end);
           ++t.ticks) {
        plain = &variables[key];
        see(*plain, sample.record);
        if (std::isnan(sample.record.value)) continue;
        plain->sum += sample.record.value;
        ++plain->ticks;
      }
    }
  }
  return variables;
}

void expect_same(double found, double expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found)) << found;
  } else {
    EXPECT_NEAR(found, expected, 1e-9 * (1 + std::abs(expected)));
  }
}

void expect_equal(const std::vector<VariableFigures>& found,
                  const std::map<VariableOf, PlainVariable>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  uint64_t before = std::numeric_limits<uint64_t>::max();
  for (const VariableFigures& figures : found) {
    const auto plain = expected.find({figures.variable.value(), figures.lane.value()});
    ASSERT_NE(plain, expected.end());
    EXPECT_LE(figures.count, before) << "most samples first";
    before = figures.count;
    EXPECT_EQ(figures.count, plain->second.count);
    const auto ticks = static_cast<double>(plain->second.ticks);
    expect_same(figures.mean, ticks == 0 ? kNone : plain->second.sum / ticks);
    expect_same(figures.min, plain->second.min);
    expect_same(figures.max, plain->second.max);
    expect_same(figures.last, plain->second.last);
  }
}

// Samples of three variables on three lanes, some at one time, some without a value.
Events random_samples(uint32_t seed, int samples, uint64_t length) {
  Events events;
  events.lanes = 3;
  events.types = 3;
  std::mt19937_64 random(seed);
  for (int i = 0; i < samples; ++i) {
    const auto value = random() % 9 == 0 ? kNone : static_cast<double>(random() % 1000) / 8;
    events.variables.push_back({{static_cast<int64_t>(random() % length)},
                                value,
                                ParamsId::none(),
                                LaneId(static_cast<uint32_t>(random() % 3)),
                                EventTypeId(static_cast<uint32_t>(random() % 3))});
  }
  return events;
}

TEST(VariableFigures, EqualAPlainLoopOverEveryTick) {
  const ScratchFolder folder;
  std::mt19937_64 random(64);
  ThreadPool pool(2);
  for (const uint64_t length : {60u, 3'000u}) {
    const auto trace = build(random_samples(63, 300, length), folder / "t.weft");
    for (int i = 0; i < 30; ++i) {
      SCOPED_TRACE(i);
      const Selection selection =
          i == 0 ? Selection::all(*trace) : random_selection(*trace, random);
      for (const GroupBy by : {GroupBy::kType, GroupBy::kLane}) {
        const auto found = measure_variables(*trace, selection, by, pool);
        ASSERT_TRUE(found);
        expect_equal(*found, plain_variables(*trace, selection, by));
      }
      EXPECT_TRUE(measure_variables(*trace, selection, GroupBy::kPair, pool)->empty());
    }
  }
}

//   begin of the range  |       the value is 4 for 10 ticks, 8 for 30
//   4 ──────────────────┼───┐
//                       |   └── 8 ──────
TEST(VariableFigures, CountTheValueThatHoldsAtTheBegin) {
  Events events;
  events.variables = {{{0}, 4, ParamsId::none(), LaneId(0), EventTypeId(0)},
                      {{110}, 8, ParamsId::none(), LaneId(0), EventTypeId(0)}};
  events.add_state(0, 0, 200);
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  ThreadPool pool(1);
  Selection selection = Selection::all(*trace);
  selection.range = {{100}, {140}};
  const auto found = measure_variables(*trace, selection, GroupBy::kLane, pool);
  ASSERT_EQ(found->size(), 1u);
  const VariableFigures& figures = found->front();
  EXPECT_EQ(figures.count, 1u);
  EXPECT_EQ(figures.mean, 7);
  EXPECT_EQ(std::tuple(figures.min, figures.max, figures.last), std::tuple(4, 8, 8));
  EXPECT_TRUE(names_of(*found, trace->dictionary()).front().starts_with("lane 0 · "));
}

// Large enough for several windows.
TEST(VariableFigures, DoNotDependOnHowTheWorkIsCut) {
  Events events;
  double sum = 0;
  constexpr int kSamples = 150'000;
  for (int i = 0; i < kSamples; ++i) {
    const double value = i * 7919 % 1000;
    events.variables.push_back({{i * 3}, value, ParamsId::none(), LaneId(0), EventTypeId(0)});
    sum += value * (i + 1 < kSamples ? 3 : 1);
  }
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  ThreadPool pool(3);
  const auto found = measure_variables(*trace, Selection::all(*trace), GroupBy::kType, pool);
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().count, static_cast<uint64_t>(kSamples));
  EXPECT_DOUBLE_EQ(found->front().mean, sum / (3.0 * (kSamples - 1) + 1));
  EXPECT_EQ(found->front().last, (kSamples - 1) * 7919 % 1000);
}

}  // namespace
}  // namespace weft::query
