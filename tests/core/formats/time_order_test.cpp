// Begins and ends that do not come in the order of their times: what is displaced within the window
// reads as if the file were sorted. The oracle pairs the sorted list with a plain stack.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "core/formats/formats.h"
#include "core/formats/stacks/open_states.h"
#include "core/formats/stacks/time_window.h"
#include "core/io/watch.h"
#include "tests/core/formats/cuts.h"
#include "tests/core/formats/perfetto_text.h"
#include "tests/core/formats/reading.h"
#include "tests/core/formats/recording_sink.h"
#include "tests/core/io/live_pipe.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

using stacks::TimeWindow;

struct Event {
  int64_t time = 0;
  uint32_t lane = 0;
  uint32_t state = 0;
  bool is_begin = false;
};
constexpr uint32_t kLanes = 3;

// Nests of so many states, in order; no two events have one time.
std::vector<Event> nests(uint32_t states, std::mt19937& random) {
  std::vector<Event> events;
  std::vector<uint32_t> open[kLanes];
  int64_t time = 1000;
  for (uint32_t begun = 0, ended = 0; ended < states; time += 1 + random() % 3) {
    const auto lane = static_cast<uint32_t>(random() % kLanes);
    if (begun < states && (open[lane].empty() || random() % 2 == 0)) {
      open[lane].push_back(begun);
      events.push_back({time, lane, begun++, true});
    } else if (!open[lane].empty()) {
      events.push_back({time, lane, open[lane].back(), false});
      open[lane].pop_back();
      ++ended;
    }
  }
  return events;
}

// The events in an order in which none is more than `most` places from its own.
std::vector<Event> displaced(const std::vector<Event>& events, uint32_t most,
                             std::mt19937& random) {
  std::vector<std::pair<size_t, Event>> keyed;
  keyed.reserve(events.size());
  for (size_t i = 0; i < events.size(); ++i)
    keyed.emplace_back(i + random() % (most + 1), events[i]);
  std::ranges::stable_sort(keyed, {}, [](const auto& each) { return each.first; });
  std::vector<Event> out;
  out.reserve(keyed.size());
  for (const auto& [key, event] : keyed) out.push_back(event);
  return out;
}

// Begin, end and depth of each state, by its name.
using States = std::map<std::string, std::tuple<int64_t, int64_t, uint32_t>>;

std::string name_of(uint32_t state) { return fmt::format("state {}", state); }

States paired(std::vector<Event> events) {
  std::ranges::stable_sort(events, {}, &Event::time);
  std::vector<Event> open[kLanes];
  States states;
  for (const Event& event : events) {
    std::vector<Event>& stack = open[event.lane];
    if (event.is_begin) {
      stack.push_back(event);
      continue;
    }
    const Event begin = stack.back();
    stack.pop_back();
    states[name_of(begin.state)] = {begin.time, event.time, static_cast<uint32_t>(stack.size())};
  }
  return states;
}

// `first_depth`: how the reader counts the outermost.
States states_of(const test::RecordingSink& sink, int64_t ticks_per_unit, uint32_t first_depth) {
  States states;
  for (const trace::StateEvent& state : sink.state_events()) {
    const std::string name(sink.dictionary().types[state.type.value()].name);
    const Time end = state.begin + state.duration;
    states[name] = {state.begin.ticks / ticks_per_unit, end.ticks / ticks_per_unit,
                    state.nesting - first_depth};
  }
  return states;
}

// ---- The window

TEST(TimeWindow, GivesInOrderWhatIsDisplacedWithinIt) {
  std::mt19937 random(1);
  for (int round = 0; round < 10; ++round) {
    std::vector<Event> events = nests(5000, random);
    for (Event& event : events) event.time /= 4;  // some at one time
    const std::vector<Event> came = displaced(events, TimeWindow<Event>::kReach / 2, random);
    std::vector<Event> expected[kLanes];
    for (const Event& event : came) expected[event.lane].push_back(event);
    std::vector<Event> given[kLanes];
    const auto give = [&](const Event& event) { given[event.lane].push_back(event); };
    TimeWindow<Event> window;
    for (const Event& event : came) window.add(event.lane, Time{event.time}, give) = event;
    window.give_all(give);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      std::ranges::stable_sort(expected[lane], {}, &Event::time);
      ASSERT_EQ(given[lane].size(), expected[lane].size());
      for (size_t i = 0; i < given[lane].size(); ++i) {
        EXPECT_EQ(given[lane][i].time, expected[lane][i].time);
        EXPECT_EQ(given[lane][i].state, expected[lane][i].state);
        EXPECT_EQ(given[lane][i].is_begin, expected[lane][i].is_begin);
      }
    }
  }
}

TEST(TimeWindow, KeepsFewWhateverTheNumberOfLanes) {
  constexpr uint32_t kMany = 50'000;
  using Window = TimeWindow<Event>;
  Window window;
  size_t given = 0;
  const auto give = [&](const Event& event) { EXPECT_EQ(event.lane, given++); };
  for (uint32_t lane = 0; lane < kMany; ++lane)
    window.add(lane, Time{5}, give) = {.time = 5, .lane = lane};
  EXPECT_GE(given, kMany - 2 * Window::kReach);
  window.give_all(give);
  EXPECT_EQ(given, kMany);
}

TEST(TimeWindow, WhatComesLaterStillIsGivenBehind) {
  TimeWindow<Event> window;
  std::vector<int64_t> given;
  const auto give = [&](const Event& event) { given.push_back(event.time); };
  for (int64_t time = 100; time < 10'000; ++time) window.add(0, Time{time}, give) = {.time = time};
  const size_t next = given.size();
  ASSERT_GT(next, 0U);
  window.add(0, Time{50}, give) = {.time = 50};
  window.give_all(give);
  EXPECT_EQ(given[next], 50);
  EXPECT_EQ(given.size(), 9901U);
}

// ---- Open states

TEST(OpenStates, OfDisplacedEventsAreThoseOfTheSortedList) {
  std::mt19937 random(2);
  for (uint32_t most = 0; most <= 1000; most += 50) {
    const std::vector<Event> events = nests(4000, random);
    test::RecordingSink sink;
    std::vector<LaneId> lanes;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      lanes.push_back(sink.add_lane({.name = fmt::format("lane {}", lane)}));
    stacks::OpenStates open(sink);
    for (const Event& event : displaced(events, most, random)) {
      const EventTypeId type = sink.type(trace::Category::kState, name_of(event.state));
      if (event.is_begin) {
        open.begin(lanes[event.lane], type, Time{event.time}, ParamsId::none(), 0);
      } else {
        open.end(lanes[event.lane], Time{event.time}, 0);
      }
    }
    open.finish(Time{1 << 20});
    EXPECT_EQ(states_of(sink, 1, 0), paired(events)) << most;
    EXPECT_EQ(sink.dump().find("note"), std::string::npos);
  }
}

TEST(OpenStates, CountWhatRanBackwardsBeyondTheWindow) {
  test::RecordingSink sink;
  const LaneId lane = sink.add_lane({.name = "lane"});
  const EventTypeId type = sink.type(trace::Category::kState, "a");
  stacks::OpenStates open(sink);
  for (int64_t time = 0; time < 20'000; time += 2) {
    open.begin(lane, type, Time{time}, ParamsId::none(), 0);
    open.end(lane, Time{time + 1}, 0);
  }
  open.begin(lane, type, Time{500}, ParamsId::none(), 7);
  open.end(lane, Time{501}, 8);
  open.finish(Time{20'000});
  EXPECT_EQ(sink.loss_count(stacks::kRanBackwards), 2U);
  EXPECT_EQ(sink.state_events().size(), 10'001U);
}

// The ends of those that are not shown end none of the others.
TEST(OpenStates, EndOnceEachHoweverDeepTheyNest) {
  constexpr int64_t kStates = 20'000, kShown = 1 << 14;
  for (const bool is_left : {false, true}) {
    test::RecordingSink sink;
    const LaneId lane = sink.add_lane({.name = "lane"});
    const EventTypeId outer = sink.type(trace::Category::kState, "outer"),
                      inner = sink.type(trace::Category::kState, "inner");
    const auto type_of = [&](int64_t i) { return i < kShown ? outer : inner; };
    stacks::OpenStates open(sink);
    for (int64_t i = 0; i < kStates; ++i)
      open.begin(lane, type_of(i), Time{i}, ParamsId::none(), 0);
    for (int64_t i = kStates; i-- > 0;) {
      const Time time{2 * kStates - i};
      if (is_left) {
        open.leave(lane, type_of(i), time, 0, {}, {});
      } else {
        open.end(lane, time, 0);
      }
    }
    open.finish(Time{3 * kStates});
    EXPECT_EQ(sink.loss_count("states nested too deep"), uint64_t{kStates - kShown});
    EXPECT_EQ(sink.state_events().size(), size_t{kShown});
    for (const trace::StateEvent& state : sink.state_events())
      EXPECT_EQ((state.begin + state.duration).ticks, 2 * kStates - state.begin.ticks);
    EXPECT_EQ(sink.dump().find("note"), std::string::npos);
  }
}

// Where ends say what they are of, they may come in any order.
TEST(OpenStates, ThatAreTooDeepAreEndedByWhatIsOfThem) {
  if (test::kLooksForRaces) GTEST_SKIP() << "much, and read by one thread";
  constexpr int64_t kStates = 17'000, kShown = 1 << 14;
  test::RecordingSink sink;
  const LaneId lane = sink.add_lane({.name = "lane"});
  const auto type_of = [&](int64_t i) {
    return sink.type(trace::Category::kState, fmt::format("job {}", i));
  };
  stacks::OpenStates open(sink);
  for (int64_t i = 0; i < kStates; ++i) open.begin(lane, type_of(i), Time{i}, ParamsId::none(), 0);
  for (int64_t i = 0; i < kStates; ++i) open.end_of(lane, type_of(i), Time{kStates + i}, 0);
  open.finish(Time{3 * kStates});
  EXPECT_EQ(sink.state_events().size(), size_t{kShown});
  for (const trace::StateEvent& state : sink.state_events())
    EXPECT_EQ(state.duration.ticks, kStates);
  EXPECT_EQ(sink.dump().find("note"), std::string::npos);
}

// ---- Readers

std::string chrome_json(const std::vector<Event>& events) {
  std::string text;
  for (const Event& e : events) {
    text += fmt::format(R"({}{{"ph":"{}","pid":1,"tid":{},"ts":{})", text.empty() ? "[" : ",\n",
                        e.is_begin ? 'B' : 'E', e.lane + 1, e.time);
    text += e.is_begin ? fmt::format(R"(,"name":"{}"}})", name_of(e.state)) : "}";
  }
  return text + "]";
}

std::string perfetto(const std::vector<Event>& events) {
  std::string text;
  for (uint32_t lane = 1; lane <= kLanes; ++lane)
    text += fmt::format("packet {{ sequence: 1 track {{ uuid: {} name: \"t\" }} }}\n", lane);
  for (const Event& e : events) {
    text += fmt::format("packet {{ sequence: 1 timestamp: {} track_event {{ type: {} track: {}",
                        e.time, e.is_begin ? 1 : 2, e.lane + 1);
    text += e.is_begin ? fmt::format(" name: \"{}\" }} }}\n", name_of(e.state)) : " } }\n";
  }
  return test::perfetto_from_text(text);
}

std::string systrace(const std::vector<Event>& events) {
  std::string text = "# tracer: nop\n";
  for (const Event& e : events) {
    text +=
        fmt::format("  app-{0}  [000] .... 0.{1:06}: tracing_mark_write: ", e.lane + 40, e.time);
    text += e.is_begin ? fmt::format("B|{}|{}\n", e.lane + 40, name_of(e.state))
                       : fmt::format("E|{}\n", e.lane + 40);
  }
  return text;
}

std::string spall(const std::vector<Event>& events) {
  const auto little = [](auto value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  std::string bytes =
      little(uint64_t{0x0BADF00D}) + little(uint64_t{1}) + little(1.0) + little(uint64_t{0});
  for (const Event& e : events) {
    bytes += e.is_begin ? std::string("\x03\0", 2) : std::string("\x04");
    bytes += little(uint32_t{1}) + little(e.lane + 1) + little(static_cast<double>(e.time));
    const std::string name = name_of(e.state);
    if (e.is_begin) bytes += static_cast<char>(name.size()) + std::string(1, '\0') + name;
  }
  return bytes;
}

struct Form {
  const char* file;
  std::string (*write)(const std::vector<Event>& events);
  int64_t ticks_per_unit;
  uint32_t first_depth;
};
constexpr Form kForms[] = {{"trace.json", chrome_json, 1000, 1},
                           {"trace.pftrace", perfetto, 1, 1},
                           {"trace.systrace", systrace, 1000, 0},
                           {"trace.spall", spall, 1000, 0}};

TEST(TimeOrder, DisplacedEventsReadAsIfTheyWereSorted) {
  const test::ScratchFolder folder;
  std::mt19937 random(3);
  for (const Form& form : kForms) {
    for (const uint32_t most : {0, 1, 2, 8, 30, 64}) {
      const std::vector<Event> events = nests(500, random);
      const auto path = folder.write(form.file, form.write(displaced(events, most, random)));
      const auto reading = test::read(path);
      ASSERT_EQ(reading->error, "") << form.file;
      EXPECT_EQ(states_of(reading->sink, form.ticks_per_unit, form.first_depth), paired(events))
          << form.file << ' ' << most;
      EXPECT_EQ(reading->text().find("note"), std::string::npos) << form.file << ' ' << most;
    }
  }
}

TEST(TimeOrder, OfChromeJsonDoesNotDependOnTheChunks) {
  const test::ScratchFolder folder;
  std::mt19937 random(4);
  for (const size_t chunk_bytes : {100, 1000, 5000, 50'000}) {
    const std::vector<Event> events = nests(2000, random);
    const auto path = folder.write("trace.json", chrome_json(displaced(events, 64, random)));
    const auto reading = test::read(path, {"", chunk_bytes});
    EXPECT_EQ(states_of(reading->sink, 1000, 1), paired(events)) << chunk_bytes;
  }
}

// A swap in one place makes only what is around it go the slow way; all else stays as it is.
TEST(TimeOrder, OneSwapAmongManyChunksIsRepaired) {
  const test::ScratchFolder folder;
  std::mt19937 random(5);
  std::vector<Event> events = nests(60'000, random);
  const States expected = paired(events);
  for (const size_t at : {100u, 20'000u, 119'000u}) std::swap(events[at], events[at + 1]);
  const auto path = folder.write("trace.json", chrome_json(events));
  for (const size_t chunk_bytes : {100'000u, 1'000'000u}) {
    const auto reading = test::read(path, {"", chunk_bytes});
    EXPECT_EQ(states_of(reading->sink, 1000, 1), expected) << chunk_bytes;
    EXPECT_EQ(reading->text().find("note"), std::string::npos);
  }
}

// Asks for what is held back, as who shows what still comes does.
class LiveSink final : public test::RecordingSink {
 public:
  void add_held(trace::HeldEvents& held) override { held_.push_back(&held); }
  void drop_held(trace::HeldEvents& held) override { std::erase(held_, &held); }
  void give_held() {
    for (trace::HeldEvents* const held : held_) held->give_held();
  }
  bool holds_any() const { return !held_.empty(); }

 private:
  std::vector<trace::HeldEvents*> held_;
};

TEST(TimeOrder, NothingIsHeldBackWhereTheInputPauses) {
  const test::ScratchFolder folder;
  std::mt19937 random(6);
  for (const Form& form : kForms) {
    const std::vector<Event> events = nests(100, random);
    test::LivePipe pipe(folder / form.file);
    std::string text = form.write(displaced(events, 8, random));
    if (text.ends_with("}]")) {  // the array goes on, and its last event may, too
      text.pop_back();
      text += R"(,{"ph":"i","pid":1,"tid":1,"ts":0,"name":"i"})";
    }
    pipe.write(text);
    LiveSink sink;
    States given;
    int asked = 0;
    constexpr int kMostAsked = 50;
    const auto on_wait = [&] {
      sink.give_held();
      given = states_of(sink, form.ticks_per_unit, form.first_depth);
      return given.size() < 100 && ++asked < kMostAsked;
    };
    auto opened = io::open_watched(pipe.path(), {.on_wait = on_wait});
    ASSERT_TRUE(opened) << opened.error().message;
    const auto recognised = recognise_single(std::move(*opened), "");
    ASSERT_TRUE(recognised) << recognised.error().message;
    const Input& input = recognised->inputs.front();
    ThreadPool pool(2);
    EXPECT_TRUE(read(*input.format, *input.source, sink, {.pool = pool, .options = {}}));
    EXPECT_EQ(given, paired(events)) << form.file;
    EXPECT_FALSE(sink.holds_any());
  }
}

}  // namespace
}  // namespace weft::formats
