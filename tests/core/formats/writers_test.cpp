// What is written reads back with the same events. covers FS-62 B-16
#include <fmt/core.h>
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
        const trace::StateEvent state{now,  duration, params, lanes_[lane], type(Category::kState),
                                      depth};
        return sink.states({&state, 1});
      }
      case 1: {
        const trace::PunctualEvent event{now, params, lanes_[lane], type(Category::kPunctual)};
        return sink.punctuals({&event, 1});
      }
      case 2: {
        const trace::LinkEvent link{now,
                                    now + Duration{below(500)},
                                    params,
                                    lanes_[lane],
                                    lanes_[static_cast<size_t>(below(4))],
                                    type(Category::kLink)};
        return sink.links({&link, 1});
      }
      default: {
        const trace::VariableSample sample{now, static_cast<double>(below(1000)) / 8,
                                           ParamsId::none(), lanes_[lane],
                                           type(Category::kVariable)};
        return sink.variables({&sample, 1});
      }
    }
  }

  std::mt19937 random_;
  Time begin_;
  std::vector<LaneId> lanes_;
  std::vector<EventTypeId> types_[4];
};

// A line for each event: what every format can say of it. `clean` is what the format makes of
// names.
template <class Clean>
std::multiset<std::string> lines_of(const RecordingSink& sink, bool has_params,
                                    bool links_have_params, const Clean& clean) {
  std::multiset<std::string> lines;
  const auto name = [&](EventTypeId id) { return clean(sink.dictionary().type(id).name); };
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
                             links_have_params ? params(e.params) : ""));
  for (const auto& e : sink.samples())
    lines.insert(fmt::format("variable {} {} {}", e.time.ticks, e.value, name(e.type)));
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
    RandomTrace(seed).give(*writer);
    ASSERT_TRUE(writer->finish().has_value());
    EXPECT_EQ(writer->left_out(), 0u);
    RecordingSink given;
    RandomTrace(seed).give(given);
    const auto back = test::read(path);  // recognised by its content
    ASSERT_EQ(back->error, "");
    for (const trace::Loss& loss : back->sink.dictionary().report.losses())
      ADD_FAILURE() << loss.kind << " x " << loss.count;
    const auto expected = lines_of(given, has_params, has_params, clean);
    const auto actual =
        lines_of(back->sink, has_params, has_params, [](std::string name) { return name; });
    std::vector<std::string> missing, extra;
    std::ranges::set_difference(expected, actual, std::back_inserter(missing));
    std::ranges::set_difference(actual, expected, std::back_inserter(extra));
    EXPECT_TRUE(missing.empty()) << id << " lacks " << missing.size() << ": " << missing.front();
    EXPECT_TRUE(extra.empty()) << id << " has " << extra.size() << " more: " << extra.front();
    if (HasFailure()) return;
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
      const trace::StateEvent state{{lane}, {2}, ParamsId::none(), LaneId(lane), run, 0};
      sink.states({&state, 1});
      const trace::LinkEvent link{{lane},       {lane + 1},       ParamsId::none(),
                                  LaneId(lane), LaneId(7 - lane), send};
      sink.links({&link, 1});
      const trace::VariableSample sample{{lane}, 1.5, ParamsId::none(), LaneId(lane), load};
      sink.variables({&sample, 1});
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
  EXPECT_EQ(without_variables(lines_of(given, false, false, clean)),
            without_variables(lines_of(dump->sink, false, false, clean)));
}

TEST(TraceWriters, EveryFormatThatIsWrittenIsHere) {
  std::set<std::string_view> written;
  for (const FormatPtr& format : formats()) {
    if (format->create_writer != nullptr) written.insert(format->id);
  }
  EXPECT_EQ(written,
            (std::set<std::string_view>{"chrome-json", "csv", "paje", "perfetto", "pj-dump"}));
}

// What reads back of a link at these times between two lanes; `ends`: which of them it has.
struct Written {
  uint64_t left_out = 0;
  std::vector<trace::LinkEvent> links;
};
Written written_link(const std::string& id, std::string_view ends, int64_t send, int64_t receive) {
  const ScratchFolder folder;
  const auto created = format_from_id(id)->create_writer(folder / "written");
  const auto& writer = *created;
  writer->set_time_base(TimeBase::kNanoseconds);
  const LaneId from = writer->add_lane({.name = "a"}), to = writer->add_lane({.name = "b"});
  const trace::PunctualEvent other{
      .time = {1}, .lane = from, .type = writer->type(Category::kPunctual, "p")};
  writer->punctuals({&other, 1});
  const trace::LinkEvent link{.send = {send},
                              .receive = {receive},
                              .source = ends.contains('s') ? from : LaneId::none(),
                              .target = ends.contains('r') ? to : LaneId::none(),
                              .type = writer->type(Category::kLink, "m")};
  writer->links({&link, 1});
  EXPECT_TRUE(writer->finish().has_value());
  const auto back = test::read(folder / "written", {id});
  EXPECT_EQ(back->error, "");
  return {writer->left_out(), back->sink.link_events()};
}

TEST(TraceWriters, ALinkWithoutAnEndReadsBackOrIsCounted) {
  for (const std::string_view ends : {"s", "r"}) {
    for (const std::string id : {"chrome-json", "csv", "perfetto"}) {
      const Written written = written_link(id, ends, 1000, 1000);
      EXPECT_EQ(written.left_out, 0u) << id;
      ASSERT_EQ(written.links.size(), 1u) << id;
      EXPECT_EQ(!written.links[0].source.is_none(), ends == "s") << id;
      EXPECT_EQ(!written.links[0].target.is_none(), ends == "r") << id;
      EXPECT_EQ(ends == "s" ? written.links[0].send : written.links[0].receive, Time{1000}) << id;
    }
    for (const std::string id : {"paje", "pj-dump"}) {
      const Written written = written_link(id, ends, 1000, 1000);
      EXPECT_EQ(written.left_out, 1u) << id;
      EXPECT_TRUE(written.links.empty()) << id;
    }
  }
}

TEST(TraceWriters, ALinkThatLeadsBackReadsBackOrIsCounted) {
  for (const std::string id : {"csv", "pj-dump"}) {
    const Written written = written_link(id, "sr", 2000, 1000);
    EXPECT_EQ(written.left_out, 0u) << id;
    ASSERT_EQ(written.links.size(), 1u) << id;
    EXPECT_EQ(written.links[0].receive, Time{1000}) << id;
  }
  for (const std::string id : {"chrome-json", "paje", "perfetto"}) {
    const Written written = written_link(id, "sr", 2000, 1000);
    EXPECT_EQ(written.left_out, 1u) << id;
    EXPECT_TRUE(written.links.empty()) << id;
  }
}

}  // namespace
}  // namespace weft::formats
