#include "core/query/event_stream.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/thread_pool.h"
#include "core/store/builder.h"
#include "tests/core/base/eventually.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

void expect_stream_is(const store::TracePtr& trace, const Selection& selection,
                      const std::vector<FlatEvent>& all, size_t read_ahead) {
  EventStream stream(trace, selection, read_ahead);
  Event event{};
  for (const FlatEvent& expected : all) {
    if (!is_in(selection, expected)) continue;
    ASSERT_TRUE(stream.next(event));
    ASSERT_EQ(event.row, expected.row);
    ASSERT_EQ(event.record->begin, expected.record.begin);
    ASSERT_EQ(event.record->duration, expected.record.duration);
    ASSERT_EQ(event.record->type, expected.record.type);
    ASSERT_EQ(event.record->value, expected.record.value);
  }
  EXPECT_FALSE(stream.next(event));
}

TEST(EventStream, IsTheSortedListOfAllEvents) {
  const ScratchFolder folder;
  const auto trace = build(random_events(1, 5, 20'000), folder / "t.weft");
  const auto all = flat_events(*trace);
  EXPECT_EQ(all.size(), trace->counts().total());
  for (const size_t read_ahead : {1, 1000, 1'000'000}) {
    expect_stream_is(trace, Selection::all(*trace), all, read_ahead);
  }
}

// Whose parts overlap in time, as its readers deliver it.
TEST(EventStream, IsTheSortedListOfAGrowingTrace) {
  constexpr int kEventsOfSegment = 64 << 10;
  const ScratchFolder folder;
  ThreadPool pool(2);
  auto builder = store::StoreBuilder::create({folder / "t.weft", "test", 400 << 20, true}, pool);
  ASSERT_TRUE(builder);
  Events names;
  names.lanes = 3;
  names.types = 1;
  testing_traces::feed(**builder, names);
  for (uint64_t segment = 0; segment < 2; ++segment) {
    for (int i = 0; i < kEventsOfSegment; ++i) {
      const Time at{2 * i + static_cast<int64_t>(segment)};
      (*builder)->give(trace::PunctualEvent{
          at, ParamsId::none(), LaneId(static_cast<uint32_t>(i) % names.lanes), EventTypeId(0)});
    }
    ASSERT_TRUE(test::eventually([&] { return (*builder)->snapshot()->generation() > segment; }));
  }
  const auto trace = (*builder)->snapshot();
  EXPECT_EQ(trace->rows()[0].parts.size(), 2U);
  expect_stream_is(trace, Selection::all(*trace), flat_events(*trace), 1000);
}

TEST(EventStream, HoldsToAnySelection) {
  const ScratchFolder folder;
  const auto trace = build(random_events(2, 4, 4'000), folder / "t.weft");
  const auto all = flat_events(*trace);
  std::mt19937_64 random(3);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    expect_stream_is(trace, random_selection(*trace, random), all, 1 + random() % 5000);
  }
}

TEST(EventStream, PassesALongRunOfOneTimeOnce) {
  Events events;
  for (int i = 0; i < 5000; ++i) {
    events.punctuals.push_back(
        {{i < 4000 ? 7 : 7 + i}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  }
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  expect_stream_is(trace, Selection::all(*trace), flat_events(*trace), 1);
}

TEST(EventStream, KeepsStatesWithoutLengthWhereItResumes) {
  Events events;
  for (int i = 0; i < 3000; ++i) {
    events.states.push_back(
        {{i / 3}, {i % 3 == 2 ? 1 : 0}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  }
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  const auto all = flat_events(*trace);
  EXPECT_EQ(all.size(), events.states.size());
  expect_stream_is(trace, Selection::all(*trace), all, 1);
}

TEST(EventStream, OfNothingIsEmpty) {
  const ScratchFolder folder;
  const auto trace = build(Events{}, folder / "t.weft");
  EventStream stream(trace, Selection::all(*trace));
  Event event{};
  EXPECT_FALSE(stream.next(event));
}

}  // namespace
}  // namespace weft::query
