// The result of a definition for a sample, and which definition fits one. covers XC-33
#include "core/formats/general/custom/preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "core/formats/general/custom/by_example.h"
#include "core/formats/general/custom/guess.h"
#include "tests/core/io/live_pipe.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats::custom {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Preview preview_of(const std::string& definition, const std::string& sample) {
  const auto read = definition_from_text(definition);
  EXPECT_TRUE(read) << read.error().message;
  const auto rules = Rules::compile(*read);
  EXPECT_TRUE(rules) << rules.error().message;
  return preview(**rules, sample);
}

// "time=12 type=go !" for each: roles with what they took, parameters with "!".
std::string marks_of(const PreviewRecord& record) {
  std::string text;
  for (const PreviewMark& mark : record.marks) {
    if (!text.empty()) text += ' ';
    text += mark.role ? std::string(name_of(*mark.role)) : "!";
    text += '=' + record.text.substr(mark.begin, mark.end - mark.begin);
  }
  return text;
}

TEST(CustomPreview, SaysWhichRuleTookEachLineAndWhatBecameOfIt) {
  const Preview made = preview_of(R"re({"rules": [
      {"pattern": "^(?<time>\d+) (?<lane>\w+) (?<type>\w+)( .*=(?<size>\d+))?"},
      {"pattern": "^ (?<more>.*)", "makes": "child"}]})re",
                                  "12 a go n=5\n and on\nnonsense\n");
  ASSERT_EQ(made.records.size(), 3u);
  EXPECT_EQ(marks_of(made.records[0]), "time=12 lane=a type=go !=5");
  EXPECT_EQ(made.records[1].rule, 1u);
  EXPECT_EQ(marks_of(made.records[1]), "!=and on");
  EXPECT_FALSE(made.records[2].rule);
  EXPECT_EQ(made.records[2].line, 3u);
  EXPECT_EQ(made.unknown_count, 1u);
  ASSERT_EQ(made.events.size(), 1u);
  EXPECT_EQ(made.events[0].lane, "a");
  EXPECT_EQ(made.events[0].params, R"({"size":5,"more":"and on"})");
  EXPECT_EQ(made.report.losses().size(), 1u);
}

// Who still writes may write for hours.
TEST(CustomPreview, ASampleOfAPipeIsWhatHasComeWhenItPauses) {
  const test::ScratchFolder folder;
  test::LivePipe pipe(folder / "pipe");
  pipe.write("1 a go\n2 a st");
  std::condition_variable_any over;
  std::mutex mutex;
  std::jthread writer([&](const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    over.wait_for(lock, stop, std::chrono::seconds(10), [] { return false; });
    pipe.close();
  });
  const auto sample = read_sample(pipe.path());
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(*sample, "1 a go\n");
}

TEST(CustomPreview, ASampleOfAFileEndsBehindALine) {
  const test::ScratchFolder folder;
  EXPECT_EQ(read_sample(folder.write("short", "1 a go\n2 a st")), "1 a go\n2 a st");
  std::string lines;
  while (lines.size() < 2 * kSampleBytes) lines += "1 a go\n";
  const auto sample = read_sample(folder.write("long", lines));
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(sample->size(), kSampleBytes / 7 * 7);
}

TEST(CustomPreview, MarksCellsAndAttributesInTheirText) {
  const Preview rows =
      preview_of(R"({"kind": "csv", "rules": [{}]})", "time,type,note\n1,go,\"a, b\"\n2,,go\n");
  ASSERT_EQ(rows.records.size(), 2u);
  EXPECT_EQ(marks_of(rows.records[0]), "time=1 type=go !=a, b");
  EXPECT_EQ(rows.records[0].line, 2u);
  const Preview elements = preview_of(R"({"kind": "xml", "rules": [{"pattern": "e"}]})",
                                      "<log>\n  <e time=\"7\" type=\"go\"/>\n</log>");
  ASSERT_EQ(elements.records.size(), 1u);
  EXPECT_EQ(elements.records[0].text, R"(<e time="7" type="go"/>)");
  EXPECT_EQ(marks_of(elements.records[0]), "time=7 type=go");
  EXPECT_EQ(elements.records[0].line, 2u);
}

struct Sample {
  const char* name;
  const char* text;
  std::string time;   // of the definition
  uint64_t events;    // that come of it
  std::string first;  // "lane: type" of the first
};
const Sample kSamples[] = {
    {"Brackets", "[   0.100000] cpu/0: ready\n[   0.250000] net: link up took 12 ms\n", "s", 2,
     "cpu/0: ready"},
    {"Iso",
     "2026-11-22T10:00:00.001Z INFO [main] started 3 threads\n"
     "2026-11-22T10:00:00.002Z WARN [io] slow disk\n    at Disk.read\n    at Disk.open\n",
     "%Y-%m-%dT%H:%M:%S.%f%z", 2, "main: started"},
    {"Log4j", "2026-11-22 10:00:00,001 ERROR [pool-1] failed: x\n", "%Y-%m-%d %H:%M:%S,%f", 1,
     "pool-1: failed"},
    {"LaneInBrackets",
     "2026-11-22 10:00:00.001 [worker-1] start job=1\n2026-11-22 10:00:00.002 [main] note x\n",
     "%Y-%m-%d %H:%M:%S.%f", 2, "worker-1: start"},
    {"TimeInBrackets", "[2026-11-22 10:00:00] app: ready\n[2026-11-22 10:00:01] app: done\n",
     "%Y-%m-%d %H:%M:%S", 2, "app: ready"},
    {"TimeInAngles", "<0001250> [press] STATE closing speed=3\n<0002100> [press] STATE closed\n",
     "ticks", 2, "press: closing"},
    {"LevelBeforeTheTime", "INFO: 10:00:01.250 net: link up\nWARN: 10:00:01.251 net: link down\n",
     "%H:%M:%S.%f", 2, "net: link up"},
    {"LaneBeforeTheTime", "pump-1 12.5 start a=1\npump-2 12.75 stop\n", "s", 2, "pump-1: start"},
    {"Syslog", "Nov 22 10:00:00 host sshd[12]: session opened for 7\n", "%b %e %H:%M:%S", 1,
     "sshd: session opened for"},
    {"NamesWithNumbers", "[12:00:01.120] pump-1 START id=7\n[12:00:02.900] valve-2 CLOSE 3 of 4\n",
     "%H:%M:%S.%f", 2, "trace: pump-1 START"},
    {"TimeOfDay", "10:00:00.5 hello\n10:00:01.5 world\n", "%H:%M:%S.%f", 2, "trace: hello"},
    {"TimeSinceTheBegin", "T+00:01.250 pump start\nT+00:02.500 pump stop\n", "%M:%S.%f", 2,
     "trace: pump start"},
    {"HoursSinceTheBegin", "[T+00:00:01.250] pump: start\n[T+00:00:02.500] pump: stop\n",
     "%H:%M:%S.%f", 2, "pump: start"},
    {"FractionBehindAComma", "00:01:02,345 start one, two\n00:01:02,350 stop one, two\n",
     "%H:%M:%S,%f", 2, "trace: start one, two"},
    {"SecondsInWideBrackets", "[  12.345678] usb 1-1: new\n[ 113.000001] usb 1-1: gone\n", "s", 2,
     "trace: usb"},
    {"Milliseconds", "12.5 ms pump start\n13 ms pump stop\n", "ms", 2, "trace: pump start"},
    {"MicrosecondsInParentheses", "(12.5us) pump: start\n(13.75µs) pump: stop\n", "us", 2,
     "pump: start"},
    {"NanosecondsBehindTheLane", "pump 100 ns start a=1\nvalve 250 ns stop a=2\n", "ns", 2,
     "pump: start"},
    {"SecondsBehindAPlus", "+3.250s pump start\n+9s pump stop\n", "s", 2, "trace: pump start"},
    {"Table", "Zeit;begin_us;thread;type;duration_ms\na;1,5;x;go;2,5\nb;2,5;y;stop;3\n", "us", 2,
     "x: go"},
    {"PlainTable", "1,a\n2,b\n", "s", 2, "trace: a"},
    {"Document", "<log><e ts=\"1\" name=\"a\"/><e ts=\"2\" name=\"b\"/><f/></log>", "s", 2,
     "trace: a"},
    {"DocumentOfElements",
     "<log><e><timestamp>2026-11-22T10:00:00.001</timestamp><thread>io</thread>"
     "<message>reads</message></e><e><timestamp>2026-11-22T10:00:00.002</timestamp>"
     "<thread>io</thread><message>writes</message></e></log>",
     "%Y-%m-%dT%H:%M:%S.%f", 2, "io: reads"},
    {"DocumentOfUnknownNames",
     "<log><entry src=\"a\" t=\"10\"><msg>x</msg></entry><entry src=\"b\" t=\"20\"/></log>", "s", 2,
     "trace: event"},
    {"ObjectsOnLines", "{\"ts\":1.5,\"thread\":\"main\",\"event\":\"start\"}\n{\"ts\":2.5}\n", "s",
     2, "main: start"},
    {"ObjectsOfUnknownNames",
     "{\"who\":\"main\",\"t\":1.5,\"type\":\"start\"}\n{\"who\":\"io\",\"t\":2.5,\"type\":\"stop\"}"
     "\n",
     "s", 2, "trace: start"},
    {"TableOfDates", "time,thread,type\n2026-11-22 10:00:00,a,go\n2026-11-22 10:00:01,b,stop\n",
     "%Y-%m-%d %H:%M:%S", 2, "a: go"},
};

class CustomGuess : public testing::TestWithParam<Sample> {};

TEST_P(CustomGuess, ReadsTheSample) {
  const Definition made = guess(GetParam().text);
  const auto rules = Rules::compile(made);
  ASSERT_TRUE(rules) << rules.error().message;
  const Preview shown = preview(**rules, GetParam().text);
  EXPECT_EQ(made.time, GetParam().time) << json_from_definition(made).dump(1);
  EXPECT_EQ(shown.event_count, GetParam().events) << json_from_definition(made).dump(1);
  EXPECT_THAT(shown.report.losses(), IsEmpty());
  ASSERT_FALSE(shown.events.empty());
  EXPECT_EQ(shown.events[0].lane + ": " + shown.events[0].type, GetParam().first);
}

INSTANTIATE_TEST_SUITE_P(, CustomGuess, testing::ValuesIn(kSamples),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(CustomGuesses, TakeTimesThatFallBehindAPlusAsSteps) {
  const auto times_of = [](std::string_view sample) {
    const auto rules = Rules::compile(guess(sample));
    std::vector<int64_t> times;
    for (const PreviewEvent& event : preview(**rules, sample).events)
      times.push_back(event.time.ticks);
    return times;
  };
  EXPECT_THAT(times_of("+3 ms a\n+0.5 ms b\n+2 ms c\n"),
              ElementsAre(3'000'000, 3'500'000, 5'500'000));
  EXPECT_THAT(times_of("+3 ms a\n+3.5 ms b\n+5 ms c\n"),
              ElementsAre(3'000'000, 3'500'000, 5'000'000));
}

TEST(CustomGuesses, AreMadeOfAnything) {
  for (const std::string text : {"", "\n\n", "no log", "<", "<a><b", "a,b\n", ";;;\n;;;\n",
                                 "\xff\xfe", "<a><a><a/></a></a>", "1 2 3\n", "<1\n<2\n"}) {
    EXPECT_TRUE(Rules::compile(guess(text))) << text;
  }
}

// The parts of the first line at which a user points, one after the other.
TEST(CustomByExample, MakesARuleOfWhatIsPointedAt) {
  struct Pointed {
    std::string_view part;
    std::optional<Role> role;
    std::string name;
  };
  const auto pattern_of = [](std::string_view sample, const std::vector<Pointed>& all,
                             uint64_t events) {
    Definition definition = guess(sample);
    for (const Pointed& each : all) {
      const auto rules = Rules::compile(definition);
      EXPECT_TRUE(rules);
      const Preview now = preview(**rules, sample);
      const size_t at = now.records[0].text.find(each.part);
      EXPECT_NE(at, std::string::npos);
      definition = taught(std::move(definition), now.records[0],
                          {at, at + each.part.size(), each.role, each.name}, sample);
    }
    const auto rules = Rules::compile(definition);
    EXPECT_TRUE(rules) << definition.rules.back().pattern;
    EXPECT_EQ(preview(**rules, sample).event_count, events) << definition.rules.back().pattern;
    return definition.time + " " + definition.rules.back().pattern;
  };
  EXPECT_EQ(
      pattern_of("~7 [press] speed=3 go\n~8 [oven] speed=12 stop\n",
                 {{"7", Role::kTime, ""},
                  {"press", Role::kLane, ""},
                  {"3", std::nullopt, "the speed"},
                  {"go", Role::kType, ""}},
                 2),
      R"(ticks ^~(?<time>\d+)\s+\[(?<lane>[^\]]+)\]\s+speed=(?<the_speed>\d+)\s+(?<type>\S+)(?<text>.*))");
  EXPECT_EQ(pattern_of("%a>10:00:00.5>up\n%b>10:00:01.5>down\n",
                       {{"10:00:00.5", Role::kTime, ""}, {"up", Role::kType, ""}}, 2),
            R"(%H:%M:%S.%f ^%\w+>(?<time>\d+:\d+:\d+\.\d+)>(?<type>\S+)(?<text>.*))");
  // A guess is corrected.
  EXPECT_TRUE(pattern_of("1.5 net: up\n2.5 cpu: down\n", {{"net", Role::kType, ""}}, 2)
                  .contains("(?<type>[^:]+)"));
}

TEST(CustomByExample, KeepsTheLinesThatTheRuleTook) {
  const std::string_view sample = "1.5 press: go speed=3\n2.5 press: stop\n";
  const auto taught_at = [&](const Definition& definition, std::string_view part,
                             std::optional<Role> role, std::string name) {
    const Preview now = preview(**Rules::compile(definition), sample);
    const size_t at = now.records[0].text.find(part);
    return taught(definition, now.records[0], {at, at + part.size(), role, std::move(name)},
                  sample);
  };
  const Definition typed = taught_at(guess(sample), "go", Role::kType, "");
  ASSERT_EQ(typed.rules.size(), 1U) << "what follows may be missing";
  EXPECT_EQ(events_of(typed, sample), 2U);
  const Definition both = taught_at(typed, "3", std::nullopt, key_before("go speed=3", 9));
  ASSERT_EQ(both.rules.size(), 2U);
  EXPECT_EQ(both.rules[1], typed.rules[0]);
  EXPECT_TRUE(both.rules[0].pattern.contains("speed=(?<speed>\\d+)")) << both.rules[0].pattern;
  EXPECT_EQ(events_of(both, sample), 2U);
  EXPECT_EQ(key_before("go speed=3", 3), "");
  EXPECT_EQ(key_before("=3", 1), "");
}

TEST(CustomByExample, WhatAnEndTookMovesItByATemplate) {
  const std::string_view sample = "1 main ...\n1 main took 4\n";
  const auto definition = definition_from_text(R"({"time": "ms", "rules": [
    {"pattern": "^(?<time>\d+) (?<lane>\w+) \.", "makes": "begin"},
    {"pattern": "^(?<time>\d+) (?<lane>\w+) took", "makes": "end"}]})");
  ASSERT_TRUE(definition);
  const Preview now = preview(**Rules::compile(*definition), sample);
  const size_t at = now.records[1].text.find('4');
  const Definition told =
      taught(*definition, now.records[1], {at, at + 1, Role::kDuration, ""}, sample);
  EXPECT_EQ(told.rules[1].role(Role::kDuration), "{duration}");
  EXPECT_EQ(events_of(told, sample), 1U);
}

TEST(CustomByExample, FindsThePartAroundALetter) {
  const std::string_view line = "at 10:00:00.5 [a_b] x=-3";
  const auto part = [&](size_t at) {
    const auto [begin, end] = part_at(line, at);
    return begin < end ? line.substr(begin, end - begin) : "";
  };
  EXPECT_EQ(part(5), "10:00:00.5");
  EXPECT_EQ(part(16), "a_b");
  EXPECT_EQ(part(23), "3");
  EXPECT_EQ(part(2), "");
  EXPECT_EQ(part(99), "");
}

}  // namespace
}  // namespace weft::formats::custom
