// What lies at the limits of the formats that are written: it reads back, or is counted.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "core/formats/formats.h"
#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

using test::ScratchFolder;
using trace::Category;

using Give = std::function<void(trace::EventSink&)>;

struct ReadBack {
  std::string left_out;
  uint64_t events_left_out = 0;
  std::unique_ptr<test::Reading> reading;
  std::string file;

  const test::RecordingSink& sink() const { return reading->sink; }
};

ReadBack written_and_read(const std::string& id, const ScratchFolder& folder, const Give& give) {
  ReadBack back;
  const auto path = folder / id;
  const auto writer = format_from_id(id)->create_writer(path);
  give(**writer);
  EXPECT_TRUE((*writer)->finish().has_value());
  back.left_out = fmt::format("{}", fmt::join((*writer)->left_out(), ", "));
  back.events_left_out = (*writer)->events_left_out();
  back.reading = test::read(path, {id});
  EXPECT_EQ(back.reading->error, "");
  for (const trace::Loss& loss : back.sink().dictionary().report.losses())
    ADD_FAILURE() << id << ": " << loss.kind << " x " << loss.count;
  back.file = test::content_of(path);
  return back;
}

void give_state(trace::EventSink& sink, LaneId lane, EventTypeId type, int64_t begin, int64_t end,
                uint32_t nesting = 0) {
  sink.give(trace::StateEvent{{begin}, {end - begin}, ParamsId::none(), lane, type, nesting});
}

// Files in nanoseconds end in the year 2262.
TEST(WriterLimits, TimesBeyondThoseOfAFormatAreCounted) {
  constexpr int64_t kYear9999 = 253'402'300'799'000;  // ms
  const auto give = [](trace::EventSink& sink) {
    sink.set_time_base(TimeBase::kMilliseconds);
    const LaneId lane = sink.add_lane({.name = "a"});
    const EventTypeId runs = sink.type(Category::kState, "runs"),
                      load = sink.type(Category::kVariable, "load");
    give_state(sink, lane, runs, 1000, 1005);
    sink.give(trace::LinkEvent{
        {1000}, {kYear9999}, ParamsId::none(), lane, lane, sink.type(Category::kLink, "m")});
    sink.give(trace::VariableSample{{2000}, 1, ParamsId::none(), lane, load});
    give_state(sink, lane, runs, kYear9999, kYear9999 + 5);
    sink.give(trace::PunctualEvent{
        {kYear9999}, ParamsId::none(), lane, sink.type(Category::kPunctual, "e")});
    sink.give(trace::VariableSample{{kYear9999}, 2, ParamsId::none(), lane, load});
  };
  for (const std::string id : {"chrome-json", "paje", "perfetto", "pj-dump"}) {
    const ScratchFolder folder;
    const ReadBack back = written_and_read(id, folder, give);
    EXPECT_EQ(back.events_left_out, 4u) << id;
    EXPECT_EQ(back.sink().total(), 2u) << id;
  }
  const ScratchFolder folder;
  const ReadBack back = written_and_read("csv", folder, give);
  EXPECT_EQ(back.left_out, "");
  EXPECT_EQ(back.sink().total(), 6u);
}

// The first and the last time of a file.
TEST(WriterLimits, TheLastTimesReadBackOrAreCounted) {
  constexpr int64_t kMost = INT64_MAX;
  for (const std::string id : {"chrome-json", "paje", "perfetto", "pj-dump"}) {
    for (const int64_t last : {kMost - 1, kMost}) {
      const ScratchFolder folder;
      const ReadBack back = written_and_read(id, folder, [&](trace::EventSink& sink) {
        const LaneId lane = sink.add_lane({.name = "a"});
        const EventTypeId runs = sink.type(Category::kState, "runs");
        give_state(sink, lane, runs, 0, 5);
        give_state(sink, lane, runs, last - 7, last);
      });
      EXPECT_EQ(back.events_left_out, last == kMost ? 1u : 0u) << id;
      EXPECT_EQ(back.sink().state_events().size(), last == kMost ? 1u : 2u) << id;
    }
    const ScratchFolder folder;
    const ReadBack back = written_and_read(id, folder, [](trace::EventSink& sink) {
      const LaneId lane = sink.add_lane({.name = "a"});
      const EventTypeId runs = sink.type(Category::kState, "runs");
      give_state(sink, lane, runs, INT64_MIN, -1);
      give_state(sink, lane, runs, -5, 5);
    });
    EXPECT_EQ(back.events_left_out, 1u) << id;
    ASSERT_EQ(back.sink().state_events().size(), 1u) << id;
    EXPECT_EQ(back.sink().state_events()[0].duration, Duration{10}) << id;
  }
}

// What is said of it gives the times of before.
TEST(WriterLimits, TheShiftOfTimesIsExact) {
  for (const std::string id : {"paje", "perfetto"}) {
    const ScratchFolder folder;
    const ReadBack back = written_and_read(id, folder, [](trace::EventSink& sink) {
      give_state(sink, sink.add_lane({.name = "a", .kind = trace::LaneKind::kAsync}),
                 sink.type(Category::kState, "runs"), -5'000'000'000'500, 5);
    });
    EXPECT_EQ(back.left_out, "times before 0 (all stand 5,000.000000500 s later)") << id;
  }
}

using Depths = std::multiset<std::string>;
Depths depths_of(const test::RecordingSink& sink) {
  Depths depths;
  for (const trace::StateEvent& state : sink.state_events())
    depths.insert(fmt::format("{} {}", sink.dictionary().type(state.type).name, state.nesting));
  return depths;
}

// PajeNG, where it is installed, finds states of these names at these depths.
void expect_peer_reads(const ScratchFolder& folder, const Depths& depths) {
  const std::string command =
      fmt::format("pj_dump -l 9 {} > {}", (folder / "paje").string(), (folder / "dump").string());
  if (std::system("command -v pj_dump > /dev/null 2>&1") != 0) return;
  EXPECT_EQ(std::system(command.c_str()), 0);
  const auto dump = test::read(folder / "dump", {"pj-dump"});
  EXPECT_EQ(dump->error, "");
  EXPECT_EQ(depths_of(dump->sink), depths);
}

size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(PajeWriter, NestedStatesAreOfOneType) {
  const ScratchFolder folder;
  const ReadBack back = written_and_read("paje", folder, [](trace::EventSink& sink) {
    const LaneId lane = sink.add_lane({.name = "a"});
    const auto type = [&](std::string_view name) { return sink.type(Category::kState, name); };
    give_state(sink, lane, type("outer"), 0, 100, 0);
    give_state(sink, lane, type("inner"), 10, 60, 1);
    give_state(sink, lane, type("core"), 20, 60, 2);
    give_state(sink, lane, type("instant"), 30, 30, 3);
    give_state(sink, lane, type("next"), 60, 100, 1);
    give_state(sink, lane, type("after"), 100, 110, 0);
  });
  EXPECT_EQ(back.left_out, "");
  EXPECT_EQ(count_of(back.file, "\n1 "), 1u);
  const Depths depths{"outer 0", "inner 1", "core 2", "instant 3", "next 1", "after 0"};
  EXPECT_EQ(depths_of(back.sink()), depths);
  expect_peer_reads(folder, depths);
}

// Only what overlaps, or has another group, leaves the stack; each time on the closest it is in.
TEST(PajeWriter, StatesThatOverlapAreOfAnotherTypeAndCounted) {
  const ScratchFolder folder;
  const ReadBack back = written_and_read("paje", folder, [](trace::EventSink& sink) {
    const LaneId lane = sink.add_lane({.name = "a"});
    const EventTypeId type = sink.type(Category::kState, "s"),
                      other = sink.type(Category::kState, "s", "other");
    give_state(sink, lane, type, 0, 100, 0);
    give_state(sink, lane, type, 50, 150, 1);   // overlaps
    give_state(sink, lane, type, 60, 90, 2);    // within the first one
    give_state(sink, lane, type, 110, 130, 0);  // within the second one
    give_state(sink, lane, other, 115, 120, 2);
    give_state(sink, lane, type, 200, 210, 0);
  });
  EXPECT_EQ(back.left_out, "the depth of 3 states");
  EXPECT_EQ(count_of(back.file, "\n1 "), 3u);
  std::multiset<std::string> states;
  for (const trace::StateEvent& state : back.sink().state_events())
    states.insert(fmt::format("{}+{} {}", state.begin.ticks, state.duration.ticks, state.nesting));
  EXPECT_EQ(states, (std::multiset<std::string>{"0+100 0", "50+100 0", "60+30 1", "110+20 1",
                                                "115+5 0", "200+10 0"}));
}

// PajeNG takes an empty name for a quote.
TEST(PajeWriter, TypesWithoutANameAreDashes) {
  const ScratchFolder folder;
  const ReadBack back = written_and_read("paje", folder, [](trace::EventSink& sink) {
    give_state(sink, sink.add_lane({.name = "a"}), sink.type(Category::kState, ""), 0, 10);
  });
  EXPECT_EQ(back.left_out, "empty names of 1 type");
  EXPECT_EQ(back.sink().dictionary().types[0].name, "-");
  expect_peer_reads(folder, {"- 0"});
}

TEST(CsvWriter, ValuesThatAreNotFiniteReadBack) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const ScratchFolder folder;
  const ReadBack back = written_and_read("csv", folder, [](trace::EventSink& sink) {
    const LaneId lane = sink.add_lane({.name = "a"});
    const EventTypeId load = sink.type(Category::kVariable, "load");
    int64_t time = 0;
    for (const double value : {1.5, kNaN, -kNaN, kInfinity, -kInfinity, -0.0}) {
      sink.give(trace::VariableSample{{time++}, value, ParamsId::none(), lane, load});
    }
  });
  EXPECT_EQ(back.left_out, "");
  std::string values;
  for (const trace::VariableSample& sample : back.sink().samples())
    values += fmt::format("{} ", sample.value);
  EXPECT_EQ(values, "1.5 nan -nan inf -inf -0 ");
}

TEST(PerfettoWriter, TheZeroBelow0KeepsItsSign) {
  const ScratchFolder folder;
  const ReadBack back = written_and_read("perfetto", folder, [](trace::EventSink& sink) {
    const LaneId lane = sink.add_lane({.name = "a"});
    sink.give(trace::VariableSample{
        {1}, -0.0, ParamsId::none(), lane, sink.type(Category::kVariable, "load")});
    sink.give(trace::PunctualEvent{
        {2}, sink.params(R"({"n":-0.0})"), lane, sink.type(Category::kPunctual, "e")});
  });
  ASSERT_EQ(back.sink().samples().size(), 1u);
  EXPECT_EQ(fmt::format("{}", back.sink().samples()[0].value), "-0");
  ASSERT_EQ(back.sink().punctual_events().size(), 1u);
  EXPECT_EQ(back.sink().params_of(back.sink().punctual_events()[0].params), R"({"n":-0.0})");
}

// Others know a counter by its process, name and id.
TEST(ChromeJsonWriter, VariablesOfOneNameInAProcessHaveIds) {
  const ScratchFolder folder;
  const ReadBack back = written_and_read("chrome-json", folder, [](trace::EventSink& sink) {
    const LaneId process = sink.add_lane({.name = "p"}), other = sink.add_lane({.name = "q"});
    const LaneId first = sink.add_lane({.name = "cpu0", .parent = process});
    const LaneId second = sink.add_lane({.name = "cpu1", .parent = process});
    const EventTypeId clock = sink.type(Category::kVariable, "clock"),
                      load = sink.type(Category::kVariable, "load");
    const trace::VariableSample samples[] = {
        {{0}, 100, ParamsId::none(), first, clock}, {{1}, 200, ParamsId::none(), second, clock},
        {{2}, 101, ParamsId::none(), first, clock}, {{3}, 201, ParamsId::none(), second, clock},
        {{4}, 0.5, ParamsId::none(), second, load}, {{5}, 300, ParamsId::none(), other, clock}};
    sink.variables(samples);
  });
  EXPECT_EQ(count_of(back.file, R"(,"id":4,)"), 2u);
  EXPECT_EQ(count_of(back.file, R"("id":)"), 2u);
  std::string samples;
  for (const trace::VariableSample& sample : back.sink().samples()) {
    samples += fmt::format("{} {} ", back.sink().dictionary().lane(sample.lane).name, sample.value);
    EXPECT_TRUE(sample.params.is_none());
  }
  EXPECT_EQ(samples, "cpu0 100 cpu1 200 cpu0 101 cpu1 201 cpu1 0.5 q 300 ");
}

// A field that begins with a quote is one in quotes.
TEST(PjDumpWriter, NamesThatBeginWithAQuoteReadBack) {
  const ScratchFolder folder;
  const ReadBack back = written_and_read("pj-dump", folder, [](trace::EventSink& sink) {
    const LaneId lanes[] = {sink.add_lane({.name = "\"a"}), sink.add_lane({.name = "\"b\""})};
    for (const LaneId lane : lanes) {
      sink.give(trace::PunctualEvent{
          {1}, ParamsId::none(), lane, sink.type(Category::kPunctual, "say \"x\"", "\"g")});
    }
  });
  EXPECT_EQ(back.left_out, "characters of 3 names");
  EXPECT_EQ(back.sink().punctual_events().size(), 2u);
  EXPECT_EQ(back.sink().dictionary().lanes.at(0).name, "'a");
  EXPECT_EQ(back.sink().dictionary().lanes.at(1).name, "'b\"");
  EXPECT_EQ(back.sink().dictionary().types[0].name, "say \"x\"");
}

}  // namespace
}  // namespace weft::formats
