// Every written trace reads back with the same events. covers FS-62 B-16
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "core/formats/formats.h"
#include "core/formats/writers/paje_writer.h"
#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

using test::RecordingSink;
using test::ScratchFolder;
using trace::Category;

// Random events in order of time, as a store gives them: states of a lane and depth do not overlap.
class RandomTrace {
 public:
  explicit RandomTrace(uint32_t seed, Time begin = {-500}) : random_(seed), begin_(begin) {}

  void give(trace::EventSink& sink) {
    sink.set_time_base(TimeBase::kNanoseconds);
    const LaneId process =
        sink.add_lane({.name = "server, \"one\"", .kind = trace::LaneKind::kProcess});
    for (const char* name : {"worker", "größe", "worker"})
      lanes_.push_back(
          sink.add_lane({.name = name, .parent = process, .kind = trace::LaneKind::kThread}));
    lanes_.push_back(sink.add_lane({.name = "alone", .kind = trace::LaneKind::kProcess}));
    for (const Category category :
         {Category::kState, Category::kPunctual, Category::kLink, Category::kVariable}) {
      for (const char* name : {"read, write", "run", "wait \"long\""})
        types_[static_cast<size_t>(category)].push_back(sink.type(category, name, "group"));
    }
    Time free[4][2] = {};
    for (Time now = begin_; now.ticks < 20'000; now = now + Duration{below(40)})
      give_one(sink, now, free);
  }

 private:
  int64_t below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random_); }
  EventTypeId type(Category category) {
    return types_[static_cast<size_t>(category)][static_cast<size_t>(below(3))];
  }

  void give_one(trace::EventSink& sink, Time now, Time (&free)[4][2]) {
    const auto lane = static_cast<size_t>(below(4));
    const std::string json = R"({"n":)" + std::to_string(below(5)) + R"(,"text":"a,\"b\""})";
    const ParamsId params = below(2) == 0 ? ParamsId::none() : sink.params(json, {});
    switch (below(4)) {
      case 0: {
        const auto depth = static_cast<uint32_t>(below(2));
        if (now < free[lane][depth]) return;
        const Duration duration{below(200)};
        free[lane][depth] = now + duration;
        return sink.give(
            trace::StateEvent{now, duration, params, lanes_[lane], type(Category::kState), depth});
      }
      case 1: {
        return sink.give(
            trace::PunctualEvent{now, params, lanes_[lane], type(Category::kPunctual)});
      }
      case 2: {
        return sink.give(trace::LinkEvent{now, now + Duration{below(500)}, params, lanes_[lane],
                                          lanes_[static_cast<size_t>(below(4))],
                                          type(Category::kLink)});
      }
      default: {
        return sink.give(trace::VariableSample{now, static_cast<double>(below(1000)) / 8, params,
                                               lanes_[lane], type(Category::kVariable)});
      }
    }
  }

  std::mt19937 random_;
  Time begin_;
  std::vector<LaneId> lanes_;
  std::vector<EventTypeId> types_[4];
};

// A line for each event: what every format can say of it. Those with parameters also have groups of
// variables. `clean` is what the format makes of names.
template <class Clean>
std::multiset<std::string> lines_of(const RecordingSink& sink, bool has_params,
                                    const Clean& clean) {
  std::multiset<std::string> lines;
  const auto name = [&](EventTypeId id) {
    const trace::EventType& type = sink.dictionary().type(id);
    const bool has_group = has_params || type.category != Category::kVariable;
    return clean(std::string(type.name)) + (has_group ? " of " + std::string(type.group) : "");
  };
  const auto params = [&](ParamsId id) {
    return id.is_none() || !has_params ? std::string() : sink.params_of(id);
  };
  for (const auto& e : sink.state_events())
    lines.insert(fmt::format("state {}+{} {} {}", e.begin.ticks, e.duration.ticks, name(e.type),
                             params(e.params)));
  for (const auto& e : sink.punctual_events())
    lines.insert(fmt::format("punctual {} {} {}", e.time.ticks, name(e.type), params(e.params)));
  for (const auto& e : sink.link_events())
    lines.insert(fmt::format("link {} {} {} {}", e.send.ticks, e.receive.ticks, name(e.type),
                             params(e.params)));
  for (const auto& e : sink.samples())
    lines.insert(
        fmt::format("variable {} {} {} {}", e.time.ticks, e.value, name(e.type), params(e.params)));
  return lines;
}

class Writers : public testing::TestWithParam<std::string> {};

TEST_P(Writers, WhatIsWrittenReadsBack) {
  const ScratchFolder folder;
  const std::string id = GetParam();
  const bool has_params = id == "csv" || id == "chrome-json";
  const auto clean = [&](std::string name) {
    std::ranges::replace(name, '"', id == "paje" ? '\'' : '"');
    std::ranges::replace(name, ',', id == "pj-dump" ? ';' : ',');
    return name;
  };
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const auto path = folder / "written";
    const auto created = format_from_id(id)->create_writer(path);
    ASSERT_TRUE(created.has_value());
    const auto& writer = *created;
    const Time begin{id == "paje" ? 0 : -500};
    RandomTrace(seed, begin).give(*writer);
    ASSERT_TRUE(writer->finish().has_value());
    RecordingSink given;
    RandomTrace(seed, begin).give(given);
    const auto back = test::read(path);  // recognised by its content
    ASSERT_EQ(back->error, "");
    for (const trace::Loss& loss : back->sink.dictionary().report.losses())
      ADD_FAILURE() << loss.kind << " x " << loss.count;
    const auto expected = lines_of(given, has_params, clean);
    const auto actual = lines_of(back->sink, has_params, [](std::string name) { return name; });
    std::vector<std::string> missing, extra;
    std::ranges::set_difference(expected, actual, std::back_inserter(missing));
    std::ranges::set_difference(actual, expected, std::back_inserter(extra));
    EXPECT_TRUE(missing.empty()) << id << " lacks " << missing.size() << ": " << missing.front();
    EXPECT_TRUE(extra.empty()) << id << " has " << extra.size() << " more: " << extra.front();
    if (HasFailure()) return;
  }
}

// Names that hold what a line of text cannot, and what looks like the signs for it.
TEST(CsvWriter, NamesReadBackAsTheyAre) {
  const ScratchFolder folder;
  const auto path = folder / "written";
  const auto writer = format_from_id("csv")->create_writer(path);
  ASSERT_TRUE(writer.has_value());
  const std::vector<std::string> names = {"tab\there",    "line\nfeed", "\x1b[31mred", "C:\\temp",
                                          "\\x1b",        "\\",         "both \\n\n",  " apart ",
                                          "\u202emirror", "\"a\", b",   "\\u0041\\q"};
  const LaneId lane = (*writer)->add_lane({.name = "a\tb"});
  for (size_t i = 0; i < names.size(); ++i) {
    (*writer)->give(trace::PunctualEvent{
        .time = {static_cast<int64_t>(i)},
        .lane = lane,
        .type = (*writer)->type(Category::kPunctual, names[i], names[names.size() - 1 - i])});
  }
  ASSERT_TRUE((*writer)->finish().has_value());
  const auto back = test::read(path);
  const trace::Dictionary& dictionary = back->sink.dictionary();
  ASSERT_EQ(back->sink.punctual_events().size(), names.size());
  EXPECT_EQ(dictionary.lanes.front().name, "a\tb");
  for (size_t i = 0; i < names.size(); ++i) {
    const trace::EventType& type = dictionary.type(back->sink.punctual_events()[i].type);
    EXPECT_EQ(type.name, names[i]);
    EXPECT_EQ(type.group, names[names.size() - 1 - i]);
  }
}

// Lanes without a process, below other lanes, of one name, without events: each where it was.
TEST(ChromeJsonWriter, LanesReadBackAsTheyAre) {
  const auto give = [](trace::EventSink& sink) {
    using trace::LaneKind;
    sink.set_time_base(TimeBase::kNanoseconds);
    const LaneId alone = sink.add_lane({.name = "0x10", .kind = LaneKind::kQueue});
    const LaneId cpus = sink.add_lane({.name = "CPUs", .kind = LaneKind::kGroup, .sort_index = 2});
    for (const char* name : {"CPU 1", "a/b", "CPU 1"}) {
      const LaneId cpu = sink.add_lane({name, cpus, LaneKind::kCpu, -1});
      sink.add_lane({"interrupts", cpu, LaneKind::kThread, 0});
    }
    sink.add_lane({"nothing here", alone, LaneKind::kThread, 0});
    const EventTypeId run = sink.type(Category::kState, "run", "");
    const EventTypeId send = sink.type(Category::kLink, "send", "");
    const EventTypeId load = sink.type(Category::kVariable, "load", "");
    for (uint32_t lane = 0; lane < 8; ++lane) {
      sink.give(trace::StateEvent{{lane}, {2}, ParamsId::none(), LaneId(lane), run, 0});
      sink.give(trace::LinkEvent{
          {lane}, {lane + 1}, ParamsId::none(), LaneId(lane), LaneId(7 - lane), send});
      sink.give(trace::VariableSample{{lane}, 1.5, ParamsId::none(), LaneId(lane), load});
    }
  };
  const ScratchFolder folder;
  const auto path = folder / "written";
  const auto writer = format_from_id("chrome-json")->create_writer(path);
  ASSERT_TRUE(writer.has_value());
  give(**writer);
  ASSERT_TRUE((*writer)->finish().has_value());
  RecordingSink given;
  give(given);
  const auto back = test::read(path);
  ASSERT_EQ(back->error, "");
  EXPECT_EQ(back->sink.dictionary().lanes, given.dictionary().lanes);
  const auto lanes_of = [](const auto& events) {
    std::multiset<uint32_t> lanes;
    for (const auto& event : events) lanes.insert(event.lane.value());
    return lanes;
  };
  EXPECT_EQ(lanes_of(back->sink.state_events()), lanes_of(given.state_events()));
  EXPECT_EQ(lanes_of(back->sink.samples()), lanes_of(given.samples()));
  std::multiset<std::pair<uint32_t, uint32_t>> pairs, expected;
  for (const auto& e : back->sink.link_events()) pairs.emplace(e.source.value(), e.target.value());
  for (const auto& e : given.link_events()) expected.emplace(e.source.value(), e.target.value());
  EXPECT_EQ(pairs, expected);
  for (const auto& e : back->sink.samples()) EXPECT_TRUE(e.params.is_none());
  for (const auto& e : back->sink.link_events()) EXPECT_TRUE(e.params.is_none());
}

INSTANTIATE_TEST_SUITE_P(, Writers, testing::Values("chrome-json", "csv", "paje", "pj-dump"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// PajeNG's own reader, where it is installed, finds the events that were given, from 0 on: as many,
// at the same times, by the same names.
TEST(TraceWriters, PajeNGReadsPaje) {
  if (std::system("command -v pj_dump > /dev/null 2>&1") != 0) GTEST_SKIP() << "no pj_dump";
  const ScratchFolder folder;
  const auto created = create_paje_writer(folder / "written");
  const auto& writer = *created;
  RandomTrace(7, Time{0}).give(*writer);
  ASSERT_TRUE(writer->finish().has_value());
  const std::string command = fmt::format("pj_dump -l 9 {} > {}", (folder / "written").string(),
                                          (folder / "dump").string());
  ASSERT_EQ(std::system(command.c_str()), 0);
  RecordingSink given;
  RandomTrace(7, Time{0}).give(given);
  const auto dump = test::read(folder / "dump", {"pj-dump"});
  ASSERT_EQ(dump->error, "");
  // Its lines are separated by commas, whatever is in a name.
  const auto clean = [](std::string name) {
    std::ranges::replace(name, '"', '\'');
    return name.substr(0, name.find(','));
  };
  // A variable is a value from one time to the next there: what is set twice at a time is said
  // once.
  const auto without_variables = [](std::multiset<std::string> lines) {
    std::erase_if(lines, [](const std::string& line) { return line.starts_with("variable"); });
    return lines;
  };
  EXPECT_EQ(without_variables(lines_of(given, false, clean)),
            without_variables(lines_of(dump->sink, false, clean)));
}

// Nor does it lose any where all lie in one instant.
TEST(TraceWriters, PajeNGReadsPajeOfOneInstant) {
  if (std::system("command -v pj_dump > /dev/null 2>&1") != 0) GTEST_SKIP() << "no pj_dump";
  const ScratchFolder folder;
  const auto created = create_paje_writer(folder / "written");
  trace::EventSink& sink = **created;
  const LaneId lane = sink.add_lane({.name = "a"}), other = sink.add_lane({.name = "b"});
  const EventTypeId type = sink.type(Category::kLink, "calls");
  constexpr size_t kLinks = 5;
  for (size_t i = 0; i < kLinks; ++i) {
    const trace::LinkEvent link{
        .send = {5000}, .receive = {5000}, .source = lane, .target = other, .type = type};
    sink.give(link);
  }
  ASSERT_TRUE((*created)->finish().has_value());
  const std::string command = fmt::format("pj_dump -l 9 {} > {}", (folder / "written").string(),
                                          (folder / "dump").string());
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto dump = test::read(folder / "dump", {"pj-dump"});
  ASSERT_EQ(dump->error, "");
  EXPECT_EQ(dump->sink.link_events().size(), kLinks);
}

// A link or a variable without a name gets one where Perfetto's files are read.
TEST(TraceWriters, PerfettoSaysThatNamesAreEmpty) {
  const ScratchFolder folder;
  const auto writer = format_from_id("perfetto")->create_writer(folder / "written");
  trace::EventSink& sink = **writer;
  const LaneId lane = sink.add_lane({.name = "a", .kind = trace::LaneKind::kThread});
  const trace::VariableSample sample{
      .time = {1}, .value = 2, .lane = lane, .type = sink.type(Category::kVariable, "")};
  sink.give(sample);
  ASSERT_TRUE((*writer)->finish().has_value());
  EXPECT_THAT((*writer)->left_out(), testing::Contains("empty names of 1 type"));
}

TEST(TraceWriters, EveryFormatThatIsWrittenIsHere) {
  std::set<std::string_view> written;
  for (const FormatPtr& format : formats()) {
    if (format->create_writer != nullptr) written.insert(format->id);
  }
  EXPECT_EQ(written,
            (std::set<std::string_view>{"chrome-json", "csv", "paje", "perfetto", "pj-dump"}));
}

TEST(TraceWriters, SlashesInNamesOfLanesSeparateNothing) {
  const ScratchFolder folder;
  const auto writer = format_from_id("csv")->create_writer(folder / "written");
  RecordingSink given;
  for (trace::EventSink* sink :
       {static_cast<trace::EventSink*>(writer->get()), static_cast<trace::EventSink*>(&given)}) {
    sink->set_time_base(TimeBase::kTicks);
    const LaneId a = sink->add_lane({.name = "a"}), ab = sink->add_lane({.name = "a/b"});
    const EventTypeId run = sink->type(Category::kState, "run", "");
    for (const LaneId lane : {sink->add_lane({.name = "b/c/", .parent = a}),
                              sink->add_lane({.name = "c", .parent = ab})})
      sink->give(trace::StateEvent{{1}, {2}, ParamsId::none(), lane, run, 0});
  }
  ASSERT_TRUE((*writer)->finish().has_value());
  EXPECT_TRUE((*writer)->left_out().empty());
  const auto back = test::read(folder / "written", {"csv"});
  ASSERT_EQ(back->error, "");
  EXPECT_EQ(back->sink.dump(), given.dump());
}

// A trace that has one of everything that some format has no place for.
void give_everything(trace::EventSink& sink, TimeBase base = TimeBase::kNanoseconds) {
  using trace::LaneKind;
  sink.set_time_base(base);
  sink.set_metadata("host", "a\"b");
  sink.add_lane({.name = "last", .kind = LaneKind::kQueue, .sort_index = 1});
  const LaneId cpu = sink.add_lane({.name = "a/b", .kind = LaneKind::kCpu});
  const EventTypeId run = sink.type(Category::kState, "run", "g"),
                    load = sink.type(Category::kVariable, "load", "g");
  sink.set_type_color(run, 0x12AB00);
  const std::byte payload[] = {std::byte{0xAB}};
  sink.give(trace::StateEvent{{1500}, {2000}, sink.params(R"({"n":1})", payload), cpu, run, 0});
  sink.give(trace::VariableSample{{1500}, 2, sink.params(R"({"n":2})"), cpu, load});
}

std::string left_out_by(const std::string& id, TimeBase base) {
  const ScratchFolder folder;
  const auto writer = format_from_id(id)->create_writer(folder / "written");
  give_everything(**writer, base);
  EXPECT_TRUE((*writer)->finish().has_value());
  return fmt::format("{}", fmt::join((*writer)->left_out(), ", "));
}

TEST(TraceWriters, WhatAFormatHasNoPlaceForIsSaid) {
  const auto base = TimeBase::kNanoseconds;
  EXPECT_EQ(left_out_by("chrome-json", base), "");
  EXPECT_EQ(left_out_by("csv", base),
            "colours of 1 type, kinds of 2 lanes, the order of 1 lane, 1 lane without events, "
            "1 value of the metadata");
  EXPECT_EQ(left_out_by("paje", base),
            "parameters of 2 events, groups of 1 type, 1 value of the metadata");
  EXPECT_EQ(left_out_by("pj-dump", base),
            "parameters of 2 events, groups of 1 type, colours of 1 type, 1 value of the metadata");
  EXPECT_EQ(left_out_by("perfetto", base),
            "parameters of 1 event, groups of 1 type, colours of 1 type, kinds of 2 lanes, "
            "1 lane without events, 1 value of the metadata");
  EXPECT_EQ(left_out_by("chrome-json", TimeBase::kCycles), "the unit of times (cycles)");
  EXPECT_EQ(left_out_by("chrome-json", TimeBase::kPicoseconds), "fractions of nanoseconds");
  EXPECT_EQ(left_out_by("chrome-json", TimeBase::kMicroseconds), "");
}

TEST(TraceWriters, NamesWhoseCharactersAreReplacedAreSaid) {
  const auto left_out = [](const std::string& id) {
    const ScratchFolder folder;
    const auto writer = format_from_id(id)->create_writer(folder / "written");
    trace::EventSink& sink = **writer;
    const LaneId lane = sink.add_lane({.name = "a,b"});
    const trace::PunctualEvent events[] = {
        {{1}, ParamsId::none(), lane, sink.type(Category::kPunctual, "f(int, int)", "a,b")},
        {{2}, ParamsId::none(), lane, sink.type(Category::kPunctual, "say \"x\"", "g\n")}};
    sink.punctuals(events);
    EXPECT_TRUE((*writer)->finish().has_value());
    return fmt::format("{}", fmt::join((*writer)->left_out(), ", "));
  };
  EXPECT_EQ(left_out("pj-dump"), "characters of 3 names");
  EXPECT_EQ(left_out("paje"), "characters of 2 names");
  for (const char* id : {"chrome-json", "csv", "perfetto"})
    EXPECT_EQ(left_out(id).find("characters"), std::string::npos) << id;
}

// Lanes and types without a name, and lanes with the name of another.
TEST(TraceWriters, NamesThatAreReplacedAreSaid) {
  const auto written = [](const std::string& id) {
    const ScratchFolder folder;
    const auto writer = format_from_id(id)->create_writer(folder / "written");
    trace::EventSink& sink = **writer;
    const LaneId lanes[] = {sink.add_lane({.name = ""}), sink.add_lane({.name = "t"}),
                            sink.add_lane({.name = "t"})};
    const EventTypeId type = sink.type(Category::kPunctual, "", "");
    for (int64_t i = 0; i < 3; ++i) {
      sink.give(trace::PunctualEvent{{i}, ParamsId::none(), lanes[i], type});
    }
    EXPECT_TRUE((*writer)->finish().has_value());
    const auto back = test::read(folder / "written", {id});
    EXPECT_EQ(back->sink.punctual_events().size(), 3u) << id;
    const std::string name(back->sink.dictionary().types[0].name);
    return fmt::format("{}; type \"{}\"", fmt::join((*writer)->left_out(), ", "), name);
  };
  EXPECT_EQ(written("csv"), "empty names of 1 lane, equal names of 1 lane; type \"\"");
  EXPECT_EQ(written("pj-dump"),
            "empty names of 1 lane, equal names of 1 lane, empty names of 1 type; type \"-\"");
  EXPECT_EQ(written("paje"), "empty names of 1 lane, empty names of 1 type; type \"-\"");
}

// A trace that begins before 0 and reaches to the end of all times cannot be shifted as a whole.
TEST(TraceWriters, EventsThatTheShiftPutsBeyondAllTimesAreCounted) {
  for (const std::string id : {"paje", "perfetto"}) {
    const ScratchFolder folder;
    const auto writer = format_from_id(id)->create_writer(folder / "written");
    trace::EventSink& sink = **writer;
    const LaneId lane = sink.add_lane({.name = "a"});
    const EventTypeId runs = sink.type(Category::kState, "runs");
    const trace::StateEvent states[] = {
        {{-5000}, {400}, ParamsId::none(), lane, runs, 0},
        {{Time::max().ticks - 1000}, {500}, ParamsId::none(), lane, runs, 0}};
    sink.states(states);
    ASSERT_TRUE((*writer)->finish().has_value());
    EXPECT_EQ((*writer)->events_left_out(), 1u) << id;
    const auto back = test::read(folder / "written", {id});
    ASSERT_EQ(back->error, "");
    EXPECT_TRUE(back->sink.dictionary().report.losses().empty()) << id;
    ASSERT_EQ(back->sink.state_events().size(), 1u) << id;
    EXPECT_EQ(back->sink.state_events()[0].duration, Duration{400}) << id;
  }
}

// pj_dump loses events that lie there.
TEST(TraceWriters, PajeHasNoTimesBefore0) {
  const ScratchFolder folder;
  const auto writer = format_from_id("paje")->create_writer(folder / "written");
  trace::EventSink& sink = **writer;
  const LaneId lane = sink.add_lane({.name = "a"});
  const trace::StateEvent state{.begin = {-1000},
                                .duration = {400},
                                .lane = lane,
                                .type = sink.type(Category::kState, "runs")};
  const trace::LinkEvent link{.send = {-900},
                              .receive = {100},
                              .source = lane,
                              .target = lane,
                              .type = sink.type(Category::kLink, "calls")};
  sink.give(state);
  sink.give(link);
  ASSERT_TRUE((*writer)->finish().has_value());
  EXPECT_EQ(fmt::format("{}", fmt::join((*writer)->left_out(), ", ")),
            "times before 0 (all stand 1.000 µs later)");
  const auto back = test::read(folder / "written");
  ASSERT_EQ(back->error, "");
  ASSERT_EQ(back->sink.state_events().size(), 1u);
  EXPECT_EQ(back->sink.state_events()[0].begin, Time{0});
  EXPECT_EQ(back->sink.state_events()[0].duration, Duration{400});
  ASSERT_EQ(back->sink.link_events().size(), 1u);
  EXPECT_EQ(back->sink.link_events()[0].send, Time{100});
  EXPECT_EQ(back->sink.link_events()[0].receive, Time{1100});
}

TEST(TraceWriters, CsvKeepsGroupsAndTheUnitOfTimes) {
  for (const TimeBase base : {TimeBase::kNanoseconds, TimeBase::kCycles, TimeBase::kPicoseconds}) {
    const ScratchFolder folder;
    const auto writer = format_from_id("csv")->create_writer(folder / "written");
    give_everything(**writer, base);
    ASSERT_TRUE((*writer)->finish().has_value());
    const auto back = test::read(folder / "written");
    ASSERT_EQ(back->error, "");
    EXPECT_EQ(back->sink.dictionary().time_base, base);
    ASSERT_EQ(back->sink.state_events().size(), 1u);
    EXPECT_EQ(back->sink.state_events()[0].duration, Duration{2000});
    for (const trace::EventType& type : back->sink.dictionary().types) EXPECT_EQ(type.group, "g");
  }
}

// The bytes of a payload are a parameter.
TEST(ChromeJsonWriter, ColoursMetadataAndParametersReadBack) {
  const ScratchFolder folder;
  const auto writer = format_from_id("chrome-json")->create_writer(folder / "written");
  give_everything(**writer);
  ASSERT_TRUE((*writer)->finish().has_value());
  RecordingSink given;
  give_everything(given);
  const auto back = test::read(folder / "written");
  ASSERT_EQ(back->error, "");
  const trace::Dictionary& dictionary = back->sink.dictionary();
  EXPECT_EQ(dictionary.types, given.dictionary().types);
  EXPECT_EQ(dictionary.lanes, given.dictionary().lanes);
  EXPECT_EQ(dictionary.metadata.at("host"), "a\"b");
  ASSERT_EQ(back->sink.samples().size(), 1u);
  EXPECT_EQ(back->sink.params_of(back->sink.samples()[0].params), R"({"n":2})");
  ASSERT_EQ(back->sink.state_events().size(), 1u);
  EXPECT_EQ(back->sink.params_of(back->sink.state_events()[0].params), R"({"n":1,"payload":"ab"})");
}

// Containers stand in the order of lanes and are of their kinds; values have colours.
TEST(TraceWriters, PajeAndPjDumpKeepKindsAndOrderOfLanes) {
  for (const std::string id : {"paje", "pj-dump"}) {
    const ScratchFolder folder;
    const auto writer = format_from_id(id)->create_writer(folder / "written");
    give_everything(**writer);
    ASSERT_TRUE((*writer)->finish().has_value());
    const auto back = test::read(folder / "written", {id});
    ASSERT_EQ(back->error, "");
    const trace::Dictionary& dictionary = back->sink.dictionary();
    std::string lanes;
    for (const LaneId lane : dictionary.lanes_in_order()) {
      lanes += dictionary.lane(lane).name;
      lanes += fmt::format(" ({})\n", name_of(dictionary.lane(lane).kind));
    }
    EXPECT_EQ(lanes, "a/b (cpu)\nlast (queue)\n") << id;
    const auto run = std::ranges::find(dictionary.types, "run", &trace::EventType::name);
    ASSERT_NE(run, dictionary.types.end());
    EXPECT_EQ(run->rgb, id == "paje" ? 0x12AB00u : trace::EventType::kNoColor);
    EXPECT_EQ(run->group, "g");
  }
}

// The link that reads back from one at these times between two lanes; `ends`: which ends it has.
struct Written {
  bool is_left_out = false;
  std::vector<trace::LinkEvent> links;
};
Written written_link(const std::string& id, std::string_view ends, int64_t send, int64_t receive) {
  const ScratchFolder folder;
  const auto created = format_from_id(id)->create_writer(folder / "written");
  const auto& writer = *created;
  writer->set_time_base(TimeBase::kNanoseconds);
  const LaneId from = writer->add_lane({.name = "a"}), to = writer->add_lane({.name = "b"});
  writer->give(trace::PunctualEvent{
      .time = {1}, .lane = from, .type = writer->type(Category::kPunctual, "p")});
  writer->give(trace::LinkEvent{.send = {send},
                                .receive = {receive},
                                .source = ends.contains('s') ? from : LaneId::none(),
                                .target = ends.contains('r') ? to : LaneId::none(),
                                .type = writer->type(Category::kLink, "m")});
  EXPECT_TRUE(writer->finish().has_value());
  const auto back = test::read(folder / "written", {id});
  EXPECT_EQ(back->error, "");
  const std::vector<std::string> left_out = writer->left_out();
  return {std::ranges::find(left_out, "1 event") != left_out.end(), back->sink.link_events()};
}

TEST(TraceWriters, NothingReadsBackAsNothing) {
  const ScratchFolder folder;
  for (const std::string id : {"chrome-json", "csv", "perfetto", "paje", "pj-dump"}) {
    const auto made = format_from_id(id)->create_writer(folder / id);
    ASSERT_TRUE(made) << id;
    const auto& writer = *made;
    ASSERT_TRUE(writer->finish()) << id;
    const auto back = test::read(folder / id);
    EXPECT_EQ(back->error, "") << id;
    EXPECT_TRUE(back->sink.dictionary().lanes.empty()) << id;
  }
}

TEST(TraceWriters, ALinkWithoutAnEndReadsBackOrIsCounted) {
  for (const std::string_view ends : {"s", "r"}) {
    for (const std::string id : {"chrome-json", "csv", "perfetto"}) {
      const Written written = written_link(id, ends, 1000, 1000);
      EXPECT_FALSE(written.is_left_out) << id;
      ASSERT_EQ(written.links.size(), 1u) << id;
      EXPECT_EQ(!written.links[0].source.is_none(), ends == "s") << id;
      EXPECT_EQ(!written.links[0].target.is_none(), ends == "r") << id;
      EXPECT_EQ(ends == "s" ? written.links[0].send : written.links[0].receive, Time{1000}) << id;
    }
    for (const std::string id : {"paje", "pj-dump"}) {
      const Written written = written_link(id, ends, 1000, 1000);
      EXPECT_TRUE(written.is_left_out) << id;
      EXPECT_TRUE(written.links.empty()) << id;
    }
  }
}

TEST(TraceWriters, ALinkThatLeadsBackReadsBackOrIsCounted) {
  for (const std::string id : {"csv", "pj-dump"}) {
    const Written written = written_link(id, "sr", 2000, 1000);
    EXPECT_FALSE(written.is_left_out) << id;
    ASSERT_EQ(written.links.size(), 1u) << id;
    EXPECT_EQ(written.links[0].receive, Time{1000}) << id;
  }
  for (const std::string id : {"chrome-json", "paje", "perfetto"}) {
    const Written written = written_link(id, "sr", 2000, 1000);
    EXPECT_TRUE(written.is_left_out) << id;
    EXPECT_TRUE(written.links.empty()) << id;
  }
}

}  // namespace
}  // namespace weft::formats
