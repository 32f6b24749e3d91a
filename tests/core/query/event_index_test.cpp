#include "core/query/event_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/base/thread_pool.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

std::vector<FlatEvent> selected(const std::vector<FlatEvent>& all, const Selection& selection) {
  std::vector<FlatEvent> events;
  for (const FlatEvent& event : all) {
    if (is_in(selection, event)) events.push_back(event);
  }
  return events;
}

void expect_reads(const EventIndex& index, const std::vector<FlatEvent>& expected, uint64_t first) {
  uint64_t at = first;
  index.read(first, [&](const Event& event) {
    EXPECT_LT(at, expected.size());
    if (at >= expected.size()) return false;
    EXPECT_EQ(event.row, expected[at].row) << at;
    EXPECT_EQ(event.record->begin, expected[at].record.begin) << at;
    EXPECT_EQ(event.record->type, expected[at].record.type) << at;
    return ++at < first + 200;
  });
  EXPECT_EQ(at, std::max<uint64_t>(first, std::min<uint64_t>(expected.size(), first + 200)));
}

uint64_t rank_in(const std::vector<FlatEvent>& events, Time time) {
  return static_cast<uint64_t>(std::ranges::count_if(
      events, [&](const FlatEvent& event) { return event.record.begin < time; }));
}

// Every row of the table, and every time's place in it, against the sorted list.
void expect_index_is(const EventIndex& index, const std::vector<FlatEvent>& expected,
                     std::mt19937_64& random) {
  ASSERT_EQ(index.total(), expected.size());
  expect_reads(index, expected, 0);
  expect_reads(index, expected, expected.size());
  const TimeRange range = index.selection().range;
  for (int i = 0; i < 10 && !expected.empty(); ++i) {
    expect_reads(index, expected, random() % expected.size());
    const Time near = expected[random() % expected.size()].record.begin;
    for (const Time t : {near, near + Duration{1}, range.begin, range.end, Time::min()}) {
      EXPECT_EQ(index.rank_of(t), rank_in(expected, t)) << t.ticks;
    }
  }
}

TEST(EventIndex, FindsEveryEventOfAnySelection) {
  const ScratchFolder folder;
  const auto trace = build(random_events(4, 4, 3'000), folder / "t.weft");
  const auto all = flat_events(*trace);
  std::mt19937_64 random(5);
  ThreadPool pool(2);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = i == 0 ? Selection::all(*trace) : random_selection(*trace, random);
    const auto index = EventIndex::make(trace, selection, pool);
    ASSERT_TRUE(index);
    expect_index_is(*index, selected(all, selection), random);
  }
}

TEST(EventIndex, GoesFromLeafToLeaf) {
  const ScratchFolder folder;
  const auto trace = build(random_events(6, 6, 200'000), folder / "t.weft");
  const auto all = flat_events(*trace);
  ASSERT_GT(all.size(), 3 * EventIndex::kLeafEvents);
  std::mt19937_64 random(7);
  ThreadPool pool(2);
  const auto index = EventIndex::make(trace, Selection::all(*trace), pool);
  ASSERT_TRUE(index);
  expect_index_is(*index, all, random);
}

TEST(EventIndex, TakesOnlyWhatThePredicateTakes) {
  const ScratchFolder folder;
  const auto trace = build(random_events(8, 4, 5'000), folder / "t.weft");
  const auto takes = [](const store::Record& record) { return record.begin.ticks % 3 == 0; };
  std::mt19937_64 random(9);
  ThreadPool pool(2);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = random_selection(*trace, random);
    auto expected = selected(flat_events(*trace), selection);
    std::erase_if(expected, [&](const FlatEvent& event) { return !takes(event.record); });
    const auto index = EventIndex::make(trace, selection, pool,
                                        [&](const Event& event) { return takes(*event.record); });
    ASSERT_TRUE(index);
    expect_index_is(*index, expected, random);
  }
}

TEST(EventIndex, HoldsMoreEventsOfOneTimeThanALeaf) {
  Events events;
  for (uint64_t i = 0; i < EventIndex::kLeafEvents + 500; ++i) {
    events.punctuals.push_back({{7}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  }
  events.punctuals.push_back({{9}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  std::mt19937_64 random(1);
  ThreadPool pool(2);
  const auto index = EventIndex::make(trace, Selection::all(*trace), pool);
  ASSERT_TRUE(index);
  expect_index_is(*index, flat_events(*trace), random);
}

TEST(EventIndex, OfNothingIsEmpty) {
  const ScratchFolder folder;
  const auto trace = build(Events{}, folder / "t.weft");
  ThreadPool pool(1);
  const auto index = EventIndex::make(trace, Selection::all(*trace), pool);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->total(), 0u);
  EXPECT_EQ(index->rank_of({5}), 0u);
  index->read(0, [](const Event&) {
    ADD_FAILURE() << "there is no event";
    return false;
  });
}

TEST(EventIndex, GivesUpWhereItIsStopped) {
  const ScratchFolder folder;
  const auto trace = build(random_events(3, 2, 1'000), folder / "t.weft");
  ThreadPool pool(1);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(EventIndex::make(trace, Selection::all(*trace), pool, {}, stop.get_token()));
}

}  // namespace
}  // namespace weft::query
