// covers FS-62, B-16
#include "core/formats/general/perfetto/perfetto_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "tests/core/formats/case_folder.h"

namespace weft::formats {
namespace {

using test::read;
using test::RecordingSink;
using test::ScratchFolder;

// Gives what was recorded to a sink, in order of time, as query::extract() does.
class Replay {
 public:
  Replay(const RecordingSink& from, trace::EventSink& to) : from_(from), to_(to) {}

  void run() {
    const trace::Dictionary& dictionary = from_.dictionary();
    to_.set_time_base(dictionary.time_base);
    add_lanes();
    for (const trace::EventType& type : dictionary.types)
      to_.type(type.category, type.name, type.group);
    give(from_.state_events(), [this](auto e) { to_.give(e); });
    give(from_.punctual_events(), [this](auto e) { to_.give(e); });
    give(from_.samples(), [this](auto e) { to_.give(e); });
    for (trace::LinkEvent link : from_.link_events()) {
      link.params = params(link.params);
      to_.give(link);
    }
  }

 private:
  // A parent may have come after its child.
  void add_lanes() {
    const trace::Dictionary& dictionary = from_.dictionary();
    for (const trace::Lane& lane : dictionary.lanes) {
      trace::Lane root = lane;
      root.parent = LaneId::none();
      to_.add_lane(root);
    }
    for (const LaneId id : dictionary.lanes_in_order()) to_.update_lane(id, dictionary.lane(id));
  }
  ParamsId params(ParamsId id) { return id.is_none() ? id : to_.params(from_.params_of(id), {}); }
  static Time time_of(const trace::StateEvent& e) { return e.begin; }
  template <class Event>
  static Time time_of(const Event& e) {
    return e.time;
  }
  template <class Event, class Give>
  void give(std::vector<Event> events, const Give& give_one) {
    std::ranges::stable_sort(events, [](const Event& a, const Event& b) {
      if (time_of(a) != time_of(b)) return time_of(a) < time_of(b);
      if constexpr (std::is_same_v<Event, trace::StateEvent>) {
        return a.duration != b.duration ? a.duration > b.duration : a.nesting < b.nesting;
      }
      return false;
    });
    for (Event& event : events) {
      event.params = params(event.params);
      give_one(event);
    }
  }

  const RecordingSink& from_;
  trace::EventSink& to_;
};

std::unique_ptr<test::Reading> read_again(const RecordingSink& sink) {
  const ScratchFolder folder;
  const auto path = folder.path() / "again.pftrace";
  auto writer = create_perfetto_writer(path);
  EXPECT_TRUE(writer);
  Replay(sink, **writer).run();
  const Status status = (*writer)->finish();
  EXPECT_TRUE(status) << status.error().message;
  // States that its reader makes of punctual events are among those that were written.
  return read(path, {.format = "perfetto", .of_format = {{"states", ""}}});
}

// The lines that tell of events, with their lanes, sorted. How states of one time are nested and
// whether a variable has a lane of its own is left out.
std::vector<std::string> contents(const RecordingSink& sink) {
  std::vector<std::string> lines;
  std::istringstream dump(sink.dump());
  for (std::string line; std::getline(dump, line);) {
    const std::string kind = line.substr(0, line.find(' '));
    const std::set<std::string> kept = {"state", "punctual", "link", "variable"};
    if (!kept.contains(kind)) continue;
    if (const size_t at = line.find(" nested "); at != std::string::npos)
      line.erase(at, line.find_first_not_of("0123456789", at + 8) - at);
    const size_t name = line.find(": \"");
    const std::string own_lane = "/" + line.substr(name + 3, line.rfind('"') - name - 3);
    const bool has_own_lane = kind == "variable" && line.substr(0, name).ends_with(own_lane);
    if (has_own_lane) line.erase(name - own_lane.size(), own_lane.size());
    lines.push_back(line);
  }
  std::ranges::sort(lines);
  return lines;
}

class WrittenPerfetto : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(WrittenPerfetto, ReadsBackEqual) {
  const auto first = read(GetParam(), {"perfetto"});
  const auto second = read_again(first->sink);
  EXPECT_EQ(second->error, "");
  EXPECT_FALSE(second->sink.dictionary().report.has_damage()) << second->text();
  EXPECT_EQ(contents(first->sink), contents(second->sink));
}

std::vector<std::filesystem::path> written_cases() {
  std::vector<std::filesystem::path> cases = test::cases_of("perfetto");
  std::erase_if(cases, [](const auto& path) {
    // Pairs of events would be made states again, beside those that were written.
    return path.parent_path().filename() == "fail" || path.stem() == "kernel_pairs";
  });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(, WrittenPerfetto, testing::ValuesIn(written_cases()), test::case_name);

// Whatever the format: the same numbers of events.
TEST(PerfettoWriter, EveryFormatsSamplesKeepTheirCounts) {
  for (const char* format :
       {"chrome_json", "btrace", "paje", "ftrace", "vcd", "spall", "nexus_lite"}) {
    for (const auto& path : test::cases_of(format)) {
      if (path.parent_path().filename() == "fail") continue;
      const auto first = read(path);
      const auto second = read_again(first->sink);
      EXPECT_EQ(first->sink.state_events().size(), second->sink.state_events().size()) << path;
      EXPECT_EQ(first->sink.punctual_events().size(), second->sink.punctual_events().size())
          << path;
      EXPECT_EQ(first->sink.link_events().size(), second->sink.link_events().size()) << path;
      EXPECT_EQ(first->sink.samples().size(), second->sink.samples().size()) << path;
    }
  }
}

TEST(PerfettoWriter, LinksKeepTheirParameters) {
  RecordingSink sink;
  const LaneId a = sink.add_lane({.name = "a"}), b = sink.add_lane({.name = "b"});
  const EventTypeId type = sink.type(trace::Category::kLink, "sent");
  const trace::LinkEvent links[] = {
      {{1}, {2}, sink.params(R"({"key":"m_1"})"), a, b, type},
      {{3}, {4}, sink.params(R"({"key":"m_2"})"), LaneId::none(), b, type}};
  sink.links(links);
  EXPECT_EQ(contents(read_again(sink)->sink), contents(sink));
}

// The numbers that they get in the file are made up, and are not shown.
TEST(PerfettoWriter, LanesWithoutANumberKeepTheirNames) {
  RecordingSink sink;
  const EventTypeId type = sink.type(trace::Category::kState, "s");
  const auto add = [&](const trace::Lane& lane) {
    const LaneId id = sink.add_lane(lane);
    sink.give(trace::StateEvent{{id.value()}, {1}, ParamsId::none(), id, type, 0});
    return id;
  };
  const LaneId alone = add({.name = "alone", .kind = trace::LaneKind::kProcess});
  add({.name = "worker", .parent = alone, .kind = trace::LaneKind::kThread});
  add({.name = "worker", .parent = alone, .kind = trace::LaneKind::kThread});
  const LaneId app = add({.name = "app (7)", .kind = trace::LaneKind::kProcess});
  add({.name = "io", .parent = app, .kind = trace::LaneKind::kThread});
  for (const char* name : {"main-8", "worker-01", "worker-1", "-5", "main-00"})
    add({.name = name, .parent = app, .kind = trace::LaneKind::kThread});
  const auto again = read_again(sink);
  EXPECT_EQ(again->error, "");
  EXPECT_EQ(contents(again->sink), contents(sink));
  for (const trace::Lane& lane : again->sink.dictionary().lanes)
    EXPECT_EQ(lane.kind == trace::LaneKind::kProcess, lane.parent.is_none()) << lane.name;
}

// Threads that overlap with themselves keep their lane.
TEST(PerfettoWriter, OverlappingStatesStayOnTheirLane) {
  RecordingSink sink;
  const LaneId process = sink.add_lane({.name = "p (3)", .kind = trace::LaneKind::kProcess});
  const LaneId thread =
      sink.add_lane({.name = "t-4", .parent = process, .kind = trace::LaneKind::kThread});
  const EventTypeId type = sink.type(trace::Category::kState, "s");
  const int64_t ranges[][2] = {{0, 10}, {5, 15}, {6, 8}, {10, 20}, {12, 30}, {12, 12}};
  for (const auto& range : ranges) {
    sink.give(trace::StateEvent{
        .begin = {range[0]}, .duration = {range[1] - range[0]}, .lane = thread, .type = type});
  }
  const auto again = read_again(sink);
  EXPECT_EQ(contents(sink), contents(again->sink));
  EXPECT_EQ(again->sink.dictionary().lanes.size(), 2u);
}

TEST(PerfettoWriter, AFileThatCannotBeMadeIsAnError) {
  EXPECT_FALSE(create_perfetto_writer("/no/such/folder/t.pftrace"));
}

}  // namespace
}  // namespace weft::formats
