// A part of a trace adds up to what its range adds up to in the whole.
#include "core/query/extract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/base/thread_pool.h"
#include "core/query/metrics/metrics.h"
#include "core/store/builder.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::random_events;
using trace::Category;

store::TracePtr part_of(store::TracePtr trace, const Selection& selection,
                        const std::filesystem::path& path) {
  ThreadPool pool(2);
  auto builder = store::StoreBuilder::create({path, "test"}, pool);
  EXPECT_TRUE(builder) << builder.error().message;
  extract(trace, selection, **builder);
  auto part = (*builder)->finish();
  EXPECT_TRUE(part) << part.error().message;
  return *part;
}

// Name, count, total, self time, least and most of every type or lane.
using Sums = std::vector<std::tuple<std::string, uint64_t, int64_t, int64_t, int64_t, int64_t>>;
Sums sums(const store::Trace& trace, const Selection& selection, const char* metric, GroupBy by) {
  ThreadPool pool(2);
  Sums sums;
  const trace::Dictionary& dictionary = trace.dictionary();
  for (const Group& g : metric_from_id(metric)->measure(trace, selection, by, pool).groups) {
    const std::string name = by == GroupBy::kType ? std::string(dictionary.types[g.id].name)
                                                  : dictionary.path_text(LaneId(g.id));
    sums.emplace_back(name, g.count, g.total, g.self, g.min, g.max);
  }
  std::ranges::sort(sums);
  return sums;
}

TEST(Extract, APartHasTheStatisticsOfItsRange) {
  std::mt19937_64 random(3);
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    const testing_traces::ScratchFolder folder;
    const auto whole = build(random_events(seed, 4, 1500), folder / "whole.weft");
    Selection selection = Selection::all(*whole);
    const auto length = static_cast<uint64_t>(selection.range.length().ticks);
    const Time begin = selection.range.begin;
    const auto [from, to] = std::minmax({random() % length, random() % length});
    selection.range = {begin + Duration{static_cast<int64_t>(from)},
                       begin + Duration{static_cast<int64_t>(to) + 1}};
    const auto part = part_of(whole, selection, folder / "part.weft");
    const Selection all = Selection::all(*part);
    for (const char* metric : {"duration", "count", "latency"}) {
      for (const GroupBy by : {GroupBy::kType, GroupBy::kLane}) {
        EXPECT_EQ(sums(*part, all, metric, by), sums(*whole, selection, metric, by))
            << metric << ", seed " << seed;
      }
    }
  }
}

TEST(Extract, TheWholeIsTheSameTrace) {
  const testing_traces::ScratchFolder folder;
  const auto whole = build(random_events(7, 3, 900), folder / "whole.weft");
  const auto part = part_of(whole, Selection::all(*whole), folder / "part.weft");
  EXPECT_EQ(part->counts(), whole->counts());
  EXPECT_EQ(part->dictionary().lanes, whole->dictionary().lanes);
  const auto a = flat_events(*whole);
  const auto b = flat_events(*part);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].record.begin, b[i].record.begin);
    EXPECT_EQ(a[i].record.duration, b[i].record.duration);
    EXPECT_EQ(a[i].row->depth, b[i].row->depth);
    EXPECT_EQ(whole->dictionary().type(a[i].record.type).name,
              part->dictionary().type(b[i].record.type).name);
  }
}

// A message from 40 to 500, and what stands in the metadata already.
store::TracePtr one_message(const std::filesystem::path& path, std::string_view part) {
  ThreadPool pool(1);
  auto builder = store::StoreBuilder::create({path, "test"}, pool);
  EXPECT_TRUE(builder);
  trace::EventSink& sink = **builder;
  const LaneId a = sink.add_lane({"a", LaneId::none(), trace::LaneKind::kThread});
  const LaneId b = sink.add_lane({"b", LaneId::none(), trace::LaneKind::kThread});
  const EventTypeId type = sink.type(Category::kLink, "message");
  sink.links(
      {{{{0}, {1}, ParamsId::none(), a, b, type}, {{40}, {500}, ParamsId::none(), a, b, type}}});
  if (!part.empty()) sink.set_metadata("part", part);
  auto trace = (*builder)->finish();
  EXPECT_TRUE(trace) << trace.error().message;
  return *trace;
}

TEST(Extract, APartKnowsItsRangeAndWhatArrivesLaterDidArrive) {
  const testing_traces::ScratchFolder folder;
  const auto whole = one_message(folder / "whole.weft", "");
  EXPECT_FALSE(range_of_part(*whole));
  Selection selection = Selection::all(*whole);
  EXPECT_FALSE(range_of_part(*part_of(whole, selection, folder / "copy.weft")));
  selection.range = {{30}, {60}};
  const auto part = part_of(whole, selection, folder / "part.weft");
  EXPECT_EQ(part->range(), (TimeRange{{40}, {501}}));
  EXPECT_EQ(range_of_part(*part), (TimeRange{{40}, {60}}));
  // All of a part is that part still.
  const auto again = part_of(part, Selection::all(*part), folder / "again.weft");
  EXPECT_EQ(range_of_part(*again), (TimeRange{{40}, {60}}));
}

TEST(Extract, WhatATraceCallsPartOtherwiseIsNoRange) {
  const testing_traces::ScratchFolder folder;
  for (const std::string_view said : {"two", "", "1 to", "1 to x", "1 to 2x", " 1 to 2", "9 to 3",
                                      "0 to 99999999999999999999", "600 to 700", "0 to 501"}) {
    EXPECT_FALSE(range_of_part(*one_message(folder / "t.weft", said))) << said;
  }
}

TEST(Extract, ParametersColoursLossesAndLanesAboveComeAlong) {
  const testing_traces::ScratchFolder folder;
  ThreadPool pool(1);
  auto builder = store::StoreBuilder::create({folder / "whole.weft", "test"}, pool);
  ASSERT_TRUE(builder);
  trace::EventSink& sink = **builder;
  const LaneId process = sink.add_lane({"process", LaneId::none(), trace::LaneKind::kProcess});
  sink.add_lane({"elsewhere", LaneId::none(), trace::LaneKind::kProcess});
  const LaneId thread = sink.add_lane({"thread", process, trace::LaneKind::kThread});
  const EventTypeId work = sink.type(Category::kState, "work");
  sink.set_type_color(work, 0x123456);
  const std::byte payload[] = {std::byte{7}};
  sink.states({{{{0}, {100}, sink.params(R"({"n":1})", payload), thread, work}}});
  sink.loss("a loss", {42, LaneId(0), Time{7}, Duration{5}}, 3);
  sink.set_metadata("made by", "a test");
  const auto whole = (*builder)->finish();
  ASSERT_TRUE(whole);
  Selection selection = Selection::all(**whole);
  selection.range = {{10}, {50}};
  const auto part = part_of(*whole, selection, folder / "part.weft");
  const trace::Dictionary& dictionary = part->dictionary();
  ASSERT_EQ(dictionary.lanes.size(), 2u);
  EXPECT_EQ(dictionary.path_text(LaneId(1)), "process/thread");
  EXPECT_EQ(dictionary.types[0].rgb, 0x123456u);
  EXPECT_EQ(dictionary.metadata.at("made by"), "a test");
  ASSERT_EQ(dictionary.report.losses().size(), 2u);
  EXPECT_EQ(dictionary.report.losses()[0], (*whole)->dictionary().report.losses()[0]);
  EXPECT_EQ(dictionary.report.losses()[1].count, 1u);
  EXPECT_FALSE(dictionary.report.losses()[1].is_damage);
  // Lanes and types without events are part of the whole only.
  const auto copy = part_of(*whole, Selection::all(**whole), folder / "copy.weft");
  EXPECT_EQ(copy->dictionary().lanes, (*whole)->dictionary().lanes);
  const auto events = flat_events(*part);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(part->params(events[0].record.params).json, R"({"n":1})");
  EXPECT_EQ(part->params(events[0].record.params).payload.size(), 1u);
  EXPECT_EQ(events[0].record.begin, Time{10});
}

}  // namespace
}  // namespace weft::query
