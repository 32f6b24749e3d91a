#include "core/store/builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <tuple>

#include "core/base/thread_pool.h"
#include "core/store/nesting.h"
#include "core/store/overlaps.h"
#include "tests/core/base/eventually.h"
#include "tests/core/store/random_trace.h"

namespace weft::store {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;
using testing_traces::ScratchFolder;

constexpr TimeRange kEver{Time::min(), Time::max()};

using Flat = std::tuple<uint32_t, int64_t, int64_t, uint32_t>;  // lane, begin, duration, type

std::vector<Flat> states_of(const Trace& trace) {
  std::vector<Flat> all;
  for (const Row& row : trace.rows()) {
    if (row.kind != RowKind::kState) continue;
    trace.for_each(row, kEver, [&](const Record& r) {
      all.emplace_back(row.lane.value(), r.begin.ticks, r.duration.ticks, r.type.value());
      return true;
    });
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Flat> states_of(const Events& events) {
  std::vector<Flat> all;
  for (const auto& e : events.states)
    all.emplace_back(e.lane.value(), e.begin.ticks, e.duration.ticks, e.type.value());
  std::sort(all.begin(), all.end());
  return all;
}

// The depth of every state is the one at which it was open, however many segments it went through.
void expect_depths(const Trace& trace, const Events& events) {
  std::map<std::tuple<uint32_t, int64_t, int64_t, uint32_t>, std::multiset<uint32_t>> expected;
  std::map<std::tuple<uint32_t, int64_t, int64_t, uint32_t>, std::multiset<uint32_t>> found;
  for (const auto& e : events.states) {
    if (e.duration.ticks == 0) continue;
    expected[{e.lane.value(), e.begin.ticks, e.duration.ticks, e.type.value()}].insert(e.nesting -
                                                                                       1);
  }
  for (const Row& row : trace.rows()) {
    if (row.kind != RowKind::kState) continue;
    trace.for_each(row, kEver, [&](const Record& r) {
      if (r.duration.ticks > 0)
        found[{row.lane.value(), r.begin.ticks, r.duration.ticks, r.type.value()}].insert(
            row.depth);
      return true;
    });
  }
  EXPECT_TRUE(expected == found);
}

TEST(StoreBuilder, KeepsEveryEventAndItsDepth) {
  ScratchFolder folder;
  for (uint32_t seed = 0; seed < 6; ++seed) {
    const Events events = random_events(seed, 1 + seed, 5000, seed % 2 == 0 ? 0 : -30'000);
    const auto trace = build(events, folder / "t.weft");
    EXPECT_EQ(states_of(*trace), states_of(events));
    expect_depths(*trace, events);
    EXPECT_EQ(trace->counts()[trace::Category::kState], events.states.size());
    EXPECT_EQ(trace->counts()[trace::Category::kLink], events.links.size());
    EXPECT_TRUE(trace->verify()) << trace->verify().error().message;
    EXPECT_TRUE(trace->is_complete());
  }
}

// A lane may turn out to lie below one that was added after it, but never below itself.
TEST(StoreBuilder, LanesMoveBelowOthersAndStayAForest) {
  ScratchFolder folder;
  ThreadPool pool;
  const auto path = folder / "t.weft";
  auto builder = StoreBuilder::create({path, "moves", 64 << 20, false}, pool);
  ASSERT_TRUE(builder) << builder.error().message;
  trace::EventSink& sink = **builder;
  const LaneId task = sink.add_lane({"task"}), process = sink.add_lane({"process"}),
               machine = sink.add_lane({"machine"});
  sink.update_lane(task, {"task 7", process});
  sink.update_lane(process, {"process 7", machine});
  sink.update_lane(machine, {"machine", task});
  sink.update_lane(task, {"task 7", task});
  const EventTypeId type = sink.type(trace::Category::kPunctual, "p");
  sink.give(trace::PunctualEvent{{5}, ParamsId::none(), task, type});
  ASSERT_TRUE((*builder)->finish());
  const auto trace = Trace::open(path);
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->dictionary().path_text(task), "machine/process 7/task 7");
  EXPECT_EQ((*trace)->dictionary().lanes_in_order(), (LargeVector<LaneId>{machine, process, task}));
  EXPECT_TRUE((*trace)->verify());
}

TEST(StoreBuilder, TypesAreCalledAsSourcesCallThem) {
  ScratchFolder folder;
  ThreadPool pool;
  const auto path = folder / "t.weft";
  auto builder = StoreBuilder::create({path, "names", 64 << 20, false}, pool);
  ASSERT_TRUE(builder) << builder.error().message;
  trace::EventSink& sink = **builder;
  const EventTypeId made = sink.type(trace::Category::kState, "_ZN3fooC1Ev", "lib");
  EXPECT_EQ(sink.type(trace::Category::kState, "_ZN3fooC2Ev", "lib"), made) << "it is one function";
  EXPECT_EQ(sink.type(trace::Category::kState, "foo::foo()", "lib"), made);
  EXPECT_NE(sink.type(trace::Category::kState, "_Zzz", "lib"), made);
  ASSERT_TRUE((*builder)->finish());
  const auto trace = Trace::open(path);
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->dictionary().type(made).name, "foo::foo()");
}

TEST(StoreBuilder, GivesTheSameTraceInLittleMemory) {
  ScratchFolder folder;
  const Events events = random_events(42, 3, 60'000);
  const auto whole = build(events, folder / "whole.weft");
  const auto merged =
      build(events, folder / "merged.weft", 1);  // least tails: many segments, many slices
  EXPECT_EQ(states_of(*merged), states_of(*whole));
  expect_depths(*merged, events);
  ASSERT_EQ(merged->rows().size(), whole->rows().size());
  for (size_t i = 0; i < whole->rows().size(); ++i) {
    EXPECT_EQ(merged->rows()[i].count, whole->rows()[i].count);
    EXPECT_EQ(merged->rows()[i].busy, whole->rows()[i].busy);
  }
  EXPECT_TRUE(merged->verify()) << merged->verify().error().message;
}

// So deep that the rest is merged as one slice.
TEST(StoreBuilder, KeepsTheDepthsOfALongDeepLane) {
  ScratchFolder folder;
  constexpr int64_t kDepth = 3'000, kStates = 200'000, kEnd = 2 * kStates;
  Events events;
  for (int64_t i = 0; i < kStates; ++i) {
    const bool is_long = i < kDepth;  // and ends behind all others
    const Duration duration{is_long ? kEnd - 2 * i : 1};
    const auto nesting = static_cast<uint32_t>(is_long ? i + 1 : kDepth + 1);
    events.states.push_back({{i}, duration, ParamsId::none(), LaneId(0), EventTypeId(0), nesting});
  }
  const auto trace = build(events, folder / "deep.weft");
  EXPECT_EQ(trace->rows().size(), static_cast<size_t>(kDepth) + 1);
  expect_depths(*trace, events);
  EXPECT_TRUE(trace->verify()) << trace->verify().error().message;
}

// So deep that not all of it has rows, whether the trace is seen while it grows or not.
TEST(StoreBuilder, CountsStatesForWhichThereIsNoRow) {
  for (const bool is_watched : {false, true}) {
    ScratchFolder folder;
    ThreadPool pool;
    const auto path = folder / "t.weft";
    auto builder = StoreBuilder::create({path, "deep", 64 << 20, is_watched}, pool);
    ASSERT_TRUE(builder) << builder.error().message;
    trace::EventSink& sink = **builder;
    const LaneId lane = sink.add_lane({"lane", LaneId::none(), trace::LaneKind::kThread, 0});
    const EventTypeId type = sink.type(trace::Category::kState, "call", "");
    constexpr uint32_t kStates = Nesting::kMostRows + 1000;
    for (uint32_t i = 0; i < kStates; ++i) {
      sink.give(trace::StateEvent{{1}, {1}, ParamsId::none(), lane, type, i});
    }
    ASSERT_TRUE((*builder)->finish());
    const auto trace = Trace::open(path);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ((*trace)->counts().total(), Nesting::kMostRows);
    EXPECT_EQ((*trace)->rows().size(), Nesting::kMostRows);
    const auto& losses = (*trace)->dictionary().report.losses();
    ASSERT_EQ(losses.size(), 1u);
    EXPECT_EQ(losses[0].kind, kDepthLoss);
    EXPECT_EQ(losses[0].count, 1000u);
    const Status sound = (*trace)->verify();
    EXPECT_TRUE(sound) << sound.error().message;
  }
}

// All events, row by row, in the order in which they are stored.
std::vector<Flat> in_order(const Trace& trace) {
  std::vector<Flat> all;
  for (const Row& row : trace.rows()) {
    trace.for_each(row, kEver, [&](const Record& r) {
      all.emplace_back(row.depth, r.begin.ticks, r.duration.ticks, r.type.value());
      return true;
    });
  }
  return all;
}

TEST(StoreBuilder, OneInstantOfManyEventsIsMergedInLittleMemory) {
  ScratchFolder folder;
  std::mt19937_64 random(11);
  Events events;
  events.types = 50'000;
  for (uint32_t i = 0; i < events.types; ++i) {
    const int64_t at = i % 10 == 0 ? static_cast<int64_t>(random() % 20) : 10;
    const int64_t duration = random() % 1000 == 0 ? static_cast<int64_t>(random() % 100) : 0;
    events.punctuals.push_back({{at}, ParamsId::none(), LaneId(0), EventTypeId(i)});
    events.states.push_back({{at}, {duration}, ParamsId::none(), LaneId(0), EventTypeId(i), 0});
  }
  const auto whole = build(events, folder / "whole.weft");
  const auto merged = build(events, folder / "merged.weft", 1);
  EXPECT_EQ(in_order(*merged), in_order(*whole));
}

TEST(StoreBuilder, PublishesWhatItHasWhileItGrows) {
  ScratchFolder folder;
  ThreadPool pool(2);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 400 << 20, true}, pool);
  ASSERT_TRUE(builder);
  EXPECT_EQ((*builder)->snapshot()->counts().total(), 0u);
  const Events events = random_events(1, 4, 200'000);
  testing_traces::feed(**builder, events);
  TracePtr snapshot;
  ASSERT_TRUE(test::eventually([&] {
    snapshot = (*builder)->snapshot();
    return !snapshot->rows().empty();
  }));
  EXPECT_FALSE(snapshot->is_complete());
  EXPECT_FALSE(states_of(*snapshot).empty());
  const auto finished = (*builder)->finish();
  ASSERT_TRUE(finished);
  EXPECT_EQ(states_of(**finished).size(), events.states.size());
  EXPECT_FALSE(states_of(*snapshot).empty());  // still readable
}

TEST(StoreBuilder, CountsWhatItMerges) {
  ScratchFolder folder;
  ThreadPool pool(2);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 1, false}, pool);
  ASSERT_TRUE(builder);
  testing_traces::feed(**builder, random_events(1, 4, 20'000));
  EXPECT_EQ((*builder)->merged_share(), std::nullopt);
  ASSERT_TRUE((*builder)->finish());
  EXPECT_EQ((*builder)->merged_share(), 1.0);
}

TEST(StoreBuilder, EndsTheMergeOfWhatWasGivenUp) {
  ScratchFolder folder;
  ThreadPool pool(2);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 1, false}, pool);
  ASSERT_TRUE(builder);
  testing_traces::feed(**builder, random_events(1, 4, 300'000));
  (*builder)->give_up();
  EXPECT_FALSE((*builder)->keep_going());
  EXPECT_FALSE((*builder)->finish());
  EXPECT_LT((*builder)->merged_share().value_or(1), 0.5);
  EXPECT_FALSE(std::filesystem::exists(folder / "t.weft"));
}

// covers C-13
TEST(StoreBuilder, ShowsTheTailToWhoeverWatches) {
  ScratchFolder folder;
  ThreadPool pool(2);
  std::atomic<int> published = 0;
  auto builder = StoreBuilder::create({.path = folder / "t.weft",
                                       .format = "test",
                                       .is_watched = true,
                                       .on_published = [&] { ++published; }},
                                      pool);
  ASSERT_TRUE(builder);
  const Events events = random_events(1, 4, 300'000);
  Events names;
  names.lanes = events.lanes;
  names.types = events.types;
  testing_traces::feed(**builder, names);
  size_t given = 0;
  // A few, so that they are shown again and again; then more than a tail holds.
  for (const size_t more : {1u, 2u, 500u, 99'000u, 7u, 200'000u, 1u}) {
    const auto part = std::span(events.states).subspan(given, more);
    (*builder)->states(part);
    given += part.size();
    std::vector<Flat> shown;
    EXPECT_TRUE(test::eventually([&] {
      (*builder)->show_tail();
      shown = states_of(*(*builder)->snapshot());
      return shown.size() >= given;
    }));
    Events so_far = events;
    so_far.states.resize(given);
    EXPECT_EQ(shown, states_of(so_far));
  }
  EXPECT_GE(published, 7);
  const auto finished = (*builder)->finish();
  ASSERT_TRUE(finished);
  EXPECT_EQ(states_of(**finished).size(), given);
}

TEST(StoreBuilder, KeepsThePlacesOfLosses) {
  ScratchFolder folder;
  ThreadPool pool(2);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 400 << 20, false}, pool);
  const LaneId lane = (*builder)->add_lane({"lane", LaneId::none(), trace::LaneKind::kThread, 0});
  const std::vector<trace::LossPlace> places = {17,
                                                {20, trace::PlaceUnit::kEvent},
                                                {23, lane, Time{4}, Duration{5}},
                                                trace::LossPlace::nowhere()};
  for (const trace::LossPlace& place : places) (*builder)->loss("lost", place, 1, true);
  ASSERT_TRUE((*builder)->finish());
  const auto trace = Trace::open(folder / "t.weft");
  ASSERT_TRUE(trace);
  const auto& losses = (*trace)->dictionary().report.losses();
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].first, places);
}

// covers C-07
TEST(StoreBuilder, SaysWhichLanesHaveStatesThatOverlap) {
  ScratchFolder folder;
  ThreadPool pool(2);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 400 << 20, false}, pool);
  trace::EventSink& sink = **builder;
  const EventTypeId work = sink.type(trace::Category::kState, "work");
  const auto add = [&](std::string name, trace::LaneKind kind,
                       std::initializer_list<TimeRange> states) {
    const LaneId lane = sink.add_lane({std::move(name), LaneId::none(), kind, 0});
    for (const TimeRange& s : states)
      sink.states({{{s.begin, s.length(), ParamsId::none(), lane, work, 0}}});
    return lane;
  };
  (void)add("nested", trace::LaneKind::kThread, {{{0}, {10}}, {{2}, {10}}, {{3}, {4}}});
  const LaneId thread = add("thread", trace::LaneKind::kThread, {{{5}, {12}}, {{0}, {10}}});
  (void)add("requests", trace::LaneKind::kAsync, {{{0}, {10}}, {{5}, {12}}});
  const LaneId group =
      add("group", trace::LaneKind::kGroup, {{{0}, {10}}, {{5}, {12}}, {{11}, {14}}});
  const auto trace = (*builder)->finish();
  ASSERT_TRUE(trace);
  const auto& losses = (*trace)->dictionary().report.losses();
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].kind, kOverlapLoss);
  EXPECT_EQ(losses[0].count, 3u);
  EXPECT_FALSE(losses[0].is_damage);
  ASSERT_EQ(losses[0].first.size(), 2u);
  EXPECT_EQ(losses[0].first[0].lane, thread);
  EXPECT_EQ(losses[0].first[0].time, Time{5});
  EXPECT_EQ(losses[0].first[1].lane, group);
}

TEST(StoreBuilder, StoresParametersOnceForEachValue) {
  ScratchFolder folder;
  ThreadPool pool(2);
  auto builder = StoreBuilder::create({folder / "t.weft", "test", 400 << 20, false}, pool);
  const LaneId lane = (*builder)->add_lane({"lane", LaneId::none(), trace::LaneKind::kThread, 0});
  const EventTypeId type = (*builder)->type(trace::Category::kPunctual, "event", "");
  const std::string payload(3000, 'x');
  std::vector<trace::PunctualEvent> events;
  for (int i = 0; i < 20'000; ++i) {
    const std::string json = "{\"n\":" + std::to_string(i % 5000) + "}";
    const auto bytes = std::as_bytes(std::span(payload));
    events.push_back(
        {{i}, (*builder)->params(json, i % 2 == 0 ? bytes : bytes.first(0)), lane, type});
  }
  (*builder)->punctuals(events);
  const auto trace = (*builder)->finish();
  ASSERT_TRUE(trace);
  int i = 0;
  (*trace)->for_each((*trace)->rows()[0], kEver, [&](const Record& r) {
    const Params p = (*trace)->params(r.params);
    EXPECT_EQ(p.json, "{\"n\":" + std::to_string(i % 5000) + "}");
    EXPECT_EQ(p.payload.size(), i % 2 == 0 ? 3000u : 0u);
    ++i;
    return true;
  });
  EXPECT_EQ(i, 20'000);
  EXPECT_LT((*trace)->size_bytes(), 5000u * 3040u);
}

TEST(StoreBuilder, APayloadOf16MiBIsKept) {
  const ScratchFolder folder;
  ThreadPool pool(1);
  auto builder = *StoreBuilder::create({folder / "t.weft", "test"}, pool);
  const LaneId lane = builder->add_lane({.name = "a"});
  const EventTypeId type = builder->type(trace::Category::kPunctual, "e", "");
  const auto payload = [](size_t bytes) {
    std::vector<std::byte> made(bytes);
    for (size_t i = 0; i < bytes; ++i) made[i] = static_cast<std::byte>(i * 31 + bytes);
    return made;
  };
  constexpr std::array<size_t, 4> kSizes = {16 << 20, 0, (16 << 20) - 1, 1};
  for (size_t i = 0; i < kSizes.size(); ++i) {
    builder->give(
        trace::PunctualEvent{.time = {static_cast<int64_t>(i)},
                             .params = builder->params(R"({"uid":7})", payload(kSizes[i])),
                             .lane = lane,
                             .type = type});
  }
  const auto trace = *builder->finish();
  EXPECT_TRUE(trace->dictionary().report.losses().empty());
  for (size_t i = 0; i < kSizes.size(); ++i) {
    const Params kept = trace->params(trace->record(trace->row(RowId(0)), i).params);
    EXPECT_EQ(kept.json, R"({"uid":7})");
    EXPECT_TRUE(std::ranges::equal(kept.payload, payload(kSizes[i]))) << kSizes[i];
  }
}

TEST(StoreBuilder, OfAPayloadThatIsTooLargeTheParametersStay) {
  const ScratchFolder folder;
  ThreadPool pool(1);
  auto builder = *StoreBuilder::create({folder / "t.weft", "test"}, pool);
  const LaneId lane = builder->add_lane({.name = "a"});
  const std::vector<std::byte> payload(33 << 20);
  builder->give(trace::PunctualEvent{.time = {1},
                                     .params = builder->params(R"({"uid":7})", payload),
                                     .lane = lane,
                                     .type = builder->type(trace::Category::kPunctual, "e", "")});
  const auto trace = *builder->finish();
  const Params kept = trace->params(trace->record(trace->row(RowId(0)), 0).params);
  EXPECT_EQ(kept.json, R"({"uid":7})");
  EXPECT_TRUE(kept.payload.empty());
  ASSERT_EQ(trace->dictionary().report.losses().size(), 1U);
  EXPECT_EQ(trace->dictionary().report.losses()[0].kind, "payload too large to keep");
}

TEST(StoreBuilder, KeepsExtremeTimes) {
  ScratchFolder folder;
  Events events;
  const int64_t most = Time::max().ticks;
  const int64_t least = Time::min().ticks;
  events.states = {{{least}, {most}, ParamsId::none(), LaneId(0), EventTypeId(0), 0},
                   {{0}, {most}, ParamsId::none(), LaneId(0), EventTypeId(0), 0},
                   {{most}, {most}, ParamsId::none(), LaneId(0), EventTypeId(0), 0}};
  const auto trace = build(events, folder / "t.weft", 1);
  EXPECT_EQ(states_of(*trace).size(), 3u);
  EXPECT_TRUE(trace->verify()) << trace->verify().error().message;
  EXPECT_EQ(trace->range().begin.ticks, least);
  EXPECT_EQ(trace->range().end.ticks, most);
}

TEST(StoreBuilder, MakesAnEmptyTraceOfNothing) {
  ScratchFolder folder;
  const auto trace = build({0, 0, {}, {}, {}, {}}, folder / "t.weft");
  EXPECT_TRUE(trace->rows().empty());
  EXPECT_TRUE(trace->verify());
}

TEST(StoreBuilder, LeavesNothingUnlessFinished) {
  ScratchFolder folder;
  {
    ThreadPool pool(2);
    auto builder = StoreBuilder::create({folder / "t.weft", "test", 400 << 20, true}, pool);
    testing_traces::feed(**builder, random_events(1, 2, 200'000));
    (*builder)->cancel();
    EXPECT_FALSE((*builder)->keep_going());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// Cuts the nameless files of the folder that have more than a few pages; returns how many.
size_t cut_nameless_files(const std::filesystem::path& folder) {
  constexpr uintmax_t kLeast = 1 << 20, kPage = 4096;
  size_t cut = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const std::string to = std::filesystem::read_symlink(entry.path(), error);
    if (error || !to.starts_with(folder.native()) || !to.ends_with("(deleted)")) continue;
    const uintmax_t bytes = std::filesystem::file_size(entry.path(), error);
    if (error || bytes < kLeast) continue;
    std::filesystem::resize_file(entry.path(), bytes / 2 / kPage * kPage);
    ++cut;
  }
  return cut;
}

// As after an error of the disk: what is missing reads as zeros, and is no trace.
TEST(StoreBuilder, SaysThatWhatItSpilledIsLost) {
  for (const uint32_t lanes : {1U, 100U}) {
    const ScratchFolder folder;
    ThreadPool pool(2);
    const auto builder = StoreBuilder::create({folder / "t.weft", "test", 16 << 20, false}, pool);
    ASSERT_TRUE(builder);
    Events names;
    names.lanes = lanes;
    names.types = 1;
    testing_traces::feed(**builder, names);
    for (uint32_t i = 0; i < 1'000'000; ++i)
      (*builder)->give(trace::StateEvent{
          {10 * int64_t{i}}, {7}, ParamsId::none(), LaneId(i % lanes), EventTypeId(0), 0});
    ASSERT_TRUE(test::eventually([&] { return cut_nameless_files(folder.path()) > 0; }));
    EXPECT_FALSE((*builder)->finish()) << lanes;
    EXPECT_FALSE(std::filesystem::exists(folder / "t.weft"));
  }
}

TEST(StoreBuilder, SaysWhereItCannotWrite) {
  ThreadPool pool(1);
  const auto builder = StoreBuilder::create({"/nonexistent/t.weft", "test", 1 << 20, false}, pool);
  ASSERT_FALSE(builder);
  EXPECT_NE(builder.error().message.find("/nonexistent"), std::string::npos);
}

}  // namespace
}  // namespace weft::store
