// covers FS-25, C-30: what is cut out is empty, and what is long enough and empty is cut out
#include "core/query/idle.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "core/base/thread_pool.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

std::vector<RowId> all_rows(const store::Trace& trace) {
  std::vector<RowId> rows;
  for (uint32_t i = 0; i < trace.rows().size(); ++i) rows.emplace_back(i);
  return rows;
}

std::vector<TimeRange> idle_in(const store::Trace& trace, Duration least,
                               const aggregate::FilterPtr& filter = nullptr) {
  ThreadPool pool(2);
  return idle_stretches(trace, all_rows(trace), least, filter, pool);
}

TEST(Idle, HoldsNoEvent) {
  const ScratchFolder folder;
  for (const uint32_t seed : {31u, 32u, 33u}) {
    const auto trace = build(random_events(seed, 2, 60), folder / "t.weft");
    const auto events = flat_events(*trace);
    for (const int64_t least : {20, 100, 1'000, 20'000}) {
      const auto idle = idle_in(*trace, {least});
      Time last = Time::min();
      for (const TimeRange& stretch : idle) {
        EXPECT_LT(last, stretch.begin);
        EXPECT_LT(stretch.begin, stretch.end);
        last = stretch.end;
        for (const FlatEvent& event : events) {
          EXPECT_FALSE(lies_in(*event.row, event.record, stretch));
          if (!is_link(event.row->kind)) continue;
          EXPECT_FALSE(stretch.contains(event.record.begin));
        }
      }
    }
  }
}

// A state of 10 ticks every `pause`.
Events bursts(int count, int64_t pause) {
  Events events;
  for (int i = 0; i < count; ++i) {
    events.states.push_back({{i * pause}, {10}, ParamsId::none(), LaneId(0), EventTypeId(0), 0});
  }
  return events;
}

TEST(Idle, HasEveryLongPause) {
  const ScratchFolder folder;
  const auto trace = build(bursts(20, 10'000), folder / "t.weft");
  const auto idle = idle_in(*trace, {1'000});
  ASSERT_EQ(idle.size(), 19u);
  for (const TimeRange& stretch : idle) EXPECT_GT(stretch.length().ticks, 9'000);
  EXPECT_TRUE(idle_in(*trace, {20'000}).empty());
}

// Two short bursts far apart: what is left is the bursts, not the air beside them.
TEST(Idle, EndsCloseToWhatIsThere) {
  constexpr int64_t kFar = 1'000'000'000;
  Events events = bursts(200, 20);
  events.types = 2;
  events.states.push_back(
      {{kFar / 2}, {10}, ParamsId::none(), LaneId(0), EventTypeId(1), 0});  // does not pass
  for (auto state : bursts(200, 20).states) {
    state.begin = state.begin + Duration{kFar};
    events.states.push_back(state);
  }
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  aggregate::Condition of_type{
      .on = aggregate::Condition::On::kType, .ids = {true, false}, .test = {}};
  const auto filter = std::make_shared<const aggregate::Filter>(where(std::move(of_type)), 2);
  const auto all = idle_in(*trace, {kFar / 50}), passing = idle_in(*trace, {kFar / 50}, filter);
  EXPECT_EQ(all.size(), 2u);
  ASSERT_EQ(passing.size(), 1u);
  EXPECT_GE(passing[0].begin, Time{4'000 - 10});
  EXPECT_LE(passing[0].end, Time{kFar});
  EXPECT_GT(passing[0].length().ticks, kFar - 4'000 - 200);
}

// By whether an event lies in a stretch or not: what passes lies in none, and what does not pass
// makes none shorter.
TEST(Idle, IsWhereNothingPassesTheFilter) {
  const ScratchFolder folder;
  std::mt19937_64 random(37);
  size_t with_hidden = 0;
  for (const uint32_t seed : {34u, 35u, 36u}) {
    const auto trace = build(random_events(seed, 3, 300), folder / "t.weft");
    const auto events = flat_events(*trace);
    for (int i = 0; i < 12; ++i) {
      SCOPED_TRACE(i);
      const auto filter = std::make_shared<const aggregate::Filter>(
          random_formula(*trace, random, 1 + i % 4), trace->dictionary().types.size());
      const auto idle = idle_in(*trace, {100}, filter);
      size_t passing = 0;
      for (const FlatEvent& event : events) passing += passes(*filter->formula(), event) ? 1 : 0;
      for (const TimeRange& stretch : idle) {
        EXPECT_LT(stretch.begin, stretch.end);
        for (const FlatEvent& event : events) {
          if (!lies_in(*event.row, event.record, stretch)) continue;
          EXPECT_FALSE(passes(*filter->formula(), event));
          ++with_hidden;
        }
      }
      if (passing == 0) {
        EXPECT_TRUE(idle.empty());
      }
    }
  }
  EXPECT_GT(with_hidden, 100u) << "what does not pass is cut out";
}

TEST(Idle, HasEveryLongPauseOfWhatPasses) {
  Events events = bursts(100'000, 100);  // several windows of a row: work, but for every hundredth
  events.types = 2;
  for (size_t i = 0; i < events.states.size(); i += 100) events.states[i].type = EventTypeId(1);
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  EXPECT_TRUE(idle_in(*trace, {5'000}).empty());
  aggregate::Condition of_type{
      .on = aggregate::Condition::On::kType, .ids = {false, true}, .test = {}};
  const auto filter = std::make_shared<const aggregate::Filter>(where(std::move(of_type)), 2);
  const auto idle = idle_in(*trace, {5'000}, filter);
  ASSERT_EQ(idle.size(), 1'000u);  // after each
  for (const TimeRange& stretch : idle) EXPECT_GT(stretch.length().ticks, 5'000);
}

TEST(Idle, IsBoundedHoweverShortThePauses) {
  const ScratchFolder folder;
  const auto trace = build(bursts(50'000, 1'000), folder / "t.weft");
  EXPECT_LE(idle_in(*trace, {1}).size(), kIdleColumns / 3);
}

TEST(Idle, IsNothingWhereItIsStopped) {
  const ScratchFolder folder;
  const auto trace = build(bursts(20, 10'000), folder / "t.weft");
  std::stop_source stop;
  stop.request_stop();
  ThreadPool pool(2);
  const Work stopped(pool, stop.get_token());
  EXPECT_TRUE(idle_stretches(*trace, all_rows(*trace), {1'000}, nullptr, stopped).empty());
  EXPECT_TRUE(idle_stretches(*trace, {}, {1'000}, nullptr, pool).empty());
}

}  // namespace
}  // namespace weft::query
