#include "core/formats/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/io/watch.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"
#include "tests/core/io/archives.h"
#include "tests/core/io/live_pipe.h"

namespace weft::formats {
namespace {

using test::ScratchFolder;
using testing::HasSubstr;

std::string recognised(const std::filesystem::path& path) {
  auto source = io::Source::open(path);
  if (!source) return source.error().message;
  const auto format = recognise(**source);
  return format ? std::string((*format)->id) : format.error().message;
}

TEST(Formats, HaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const FormatPtr& format : formats()) {
    EXPECT_TRUE(ids.insert(format->id).second) << format->id;
    EXPECT_EQ(format_from_id(format->id), format);
    if (!format->origin.empty()) continue;  // a user's
    EXPECT_FALSE(format->name.empty());
    EXPECT_FALSE(format->category.empty());
    EXPECT_FALSE(format->extensions.empty());
  }
  EXPECT_EQ(format_from_id("no-such-format"), nullptr);
}

TEST(Formats, EachRecognisesItsSamplesAndNoOthers) {
  if (test::kLooksForRaces) GTEST_SKIP() << "types are told from each other by one thread";
  for (const FormatPtr& format : formats()) {
    // The tests of those write the samples.
    if (format->sniff_folder != nullptr || !format->origin.empty()) continue;
    std::string folder = format->id;
    std::ranges::replace(folder, '-', '_');
    size_t samples = 0;
    for (const auto& path : test::cases_of(folder)) {
      if (path.parent_path().filename() != "succeed") continue;
      EXPECT_EQ(recognised(path), format->id) << path;
      ++samples;
    }
    EXPECT_GT(samples, 0u) << format->id;
  }
}

TEST(Formats, AnAddedRowIsOneOfThem) {
  const ScratchFolder folder;
  const auto origin = folder.write("definition", "");
  const auto a_row_that_knows = [&](const std::string& word) {
    return Format{
        .id = "of-mine",
        .name = "Of mine",
        .category = "User's",
        .extensions = {"mine"},
        .sniff =
            [word](std::span<const std::byte> head) {
              const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
              return text.starts_with(word) ? 100 : 0;
            },
        .read = [word](io::Source&, trace::EventSink& sink, const ReadContext&) -> Status {
          sink.set_metadata("word", word);
          return {};
        },
        .origin = origin};
  };
  const auto once = folder.write("a", "once upon"), twice = folder.write("b", "twice");
  ASSERT_TRUE(add_format(a_row_that_knows("once")));
  EXPECT_EQ(recognised(once), "of-mine");
  EXPECT_THAT(test::read(once)->text(), HasSubstr("metadata word = once"));
  // Another of this id takes its place; who holds the old one keeps it.
  const FormatPtr held = format_from_id("of-mine");
  ASSERT_TRUE(add_format(a_row_that_knows("twice")));
  EXPECT_EQ(recognised(twice), "of-mine");
  EXPECT_THAT(recognised(once), HasSubstr("no trace type recognises it"));
  EXPECT_GT(held->sniff(std::as_bytes(std::span("once"))), 0);
  EXPECT_EQ(formats().back()->id, "of-mine");
}

TEST(Formats, AnAddedRowNeitherReplacesABuiltInOneNorHasAnyName) {
  for (const std::string id : {"chrome-json", "", "Mine", "my type", "../mine"}) {
    Format format = *format_from_id("chrome-json");
    format.id = id;
    EXPECT_FALSE(add_format(std::move(format))) << id;
  }
  Format nameless = *format_from_id("chrome-json");
  nameless.id = "nameless";
  nameless.pages = {{"page", "", "SELECT 1"}};
  EXPECT_FALSE(add_format(std::move(nameless)));
}

TEST(Formats, TheContentDecidesNotTheName) {
  const ScratchFolder folder;
  EXPECT_EQ(recognised(folder.write("trace.nexus", "{\"traceEvents\":[]}")), "chrome-json");
}

// covers C-13
TEST(Formats, APipeThatPausesIsKnownByWhatComesLater) {
  const ScratchFolder folder;
  test::LivePipe pipe(folder / "pipe");
  pipe.write("Connecting to the board\n");
  int asked = 0, asked_before = 0;
  const auto on_wait = [&] {
    // Not before what came first was looked at.
    if (++asked == asked_before + 2) {
      pipe.write("  app-7  [000] ....  100.000000: tracing_mark_write: B|7|work\n");
      pipe.write("  app-7  [000] ....  101.000000: tracing_mark_write: E|7\n");
    }
    return asked < asked_before + 100;
  };
  auto source = io::open_watched(pipe.path(), {.on_wait = on_wait});
  ASSERT_TRUE(source) << source.error().message;
  asked_before = asked;
  const auto format = recognise(**source);
  ASSERT_TRUE(format) << format.error().message;
  EXPECT_EQ((*format)->id, "ftrace");
}

TEST(Formats, WhatOnlyLooksLikeATraceIsNone) {
  const ScratchFolder folder;
  const auto what_is = [&](std::string_view bytes) {
    return recognised(folder.write("x", std::string(bytes)));
  };
  // Protobuf, whose first field is a message: with a text, with numbers, with messages of its own.
  using namespace std::literals;
  EXPECT_THAT(what_is("\x0A\x0B\x12\x09/host:CPU\x12\x01\0"sv),
              HasSubstr("no trace type recognises it"));
  EXPECT_THAT(what_is("\x0A\x04\x0A\x02\x08\x01\x12\x01\0"sv),
              HasSubstr("no trace type recognises it"));
  EXPECT_THAT(what_is("\x0A\x04\x32\x02\x08\x01\x0A\0"sv),
              HasSubstr("no trace type recognises it"));
  EXPECT_THAT(
      what_is("goos: linux\nBenchmarkSort-8 100 12 x: 3\nBenchmarkA-8 5 ns/op\n100 12 ns/op"),
      HasSubstr("no trace type recognises it"));
  EXPECT_THAT(what_is("BenchmarkSort-8 100 12 x: 3\n1000000000 12 ns/op\n"),
              HasSubstr("no trace type recognises it"));
  EXPECT_THAT(what_is("case $nwif in\n    1000)  bandwidth=:1e9 ;;\nesac\n"),
              HasSubstr("no trace type recognises it"));
  EXPECT_THAT(what_is("Usage: perf ftrace {trace|latency}\nstruct trace {\n"),
              HasSubstr("no trace type recognises it"));
  EXPECT_THAT(what_is("#!/bin/sh\n# says \"hello\" twice\nf() {\n  (cd a)\n  (cd b)\n}\n"),
              HasSubstr("no trace type recognises it"));
  EXPECT_THAT(what_is("a(1) = 1\na(2) = 2\na(3) = 3\nb(1) = 10\n"),
              HasSubstr("no trace type recognises it"));
  EXPECT_THAT(what_is("User: hi  Date: 2026-03-16T11:13:27.786609100\nBot: 1\n"),
              HasSubstr("no trace type recognises it"));
  EXPECT_THAT(what_is("[{000214A0-0000-0000-C000-000000000046}]\nProp3=19,11\n"),
              HasSubstr("no trace type recognises it"));
  EXPECT_EQ(what_is(R"({"swagger":"2.0","definitions":{"Call":{"properties":{)"
                    R"("nodes":{"type":"array"},"functionName":{"type":"string"}}}}})"),
            "chrome-json");
}

TEST(Formats, TheTraceInAnArchiveIsOpened) {
  const ScratchFolder folder;
  const auto text_of = [&](const test::ArchiveFiles& files) {
    return test::read(folder.write("a.zip", test::archive_of(test::Packing::kZip, files)))->text();
  };
  const std::string resources = R"({"TimeScale":"ms","Resources":{"A":{"Type":"Task"}}})";
  EXPECT_THAT(text_of({{"x.log", "[1]A.state=on\n"}, {"x.res", resources}, {"notes", "none"}}),
              HasSubstr("time base ms\nlane Task (group)"));
  EXPECT_THAT(text_of({{"a.log", "[1]A.state=on\n"}, {"b.log", "[1]A.state=on\n"}}),
              HasSubstr("several traces, a.log, b.log: name one behind it, as ARCHIVE/a.log"));
  EXPECT_THAT(text_of({{"a", "x"}, {"b", "y"}}), HasSubstr("an archive without a trace"));
}

// The traces of an archive, with their formats; or the error.
std::string traces_of(const std::filesystem::path& archive) {
  const auto all = recognise_all(*io::Source::open(archive), "");
  if (!all) return "error: " + all.error().message;
  std::string text;
  for (size_t i = 0; i < all->inputs.size(); ++i) {
    text += (all->names.empty() ? "-" : all->names[i]) + " " + all->inputs[i].format->id + "; ";
  }
  return text + std::to_string(all->others);
}

TEST(Formats, SeveralTracesInAnArchiveAreTold) {
  if (test::kLooksForRaces) GTEST_SKIP() << "types are told from each other by one thread";
  const ScratchFolder folder;
  const auto told = [&](const test::ArchiveFiles& files) {
    return traces_of(folder.write("a.zip", test::archive_of(test::Packing::kZip, files)));
  };
  const std::string log = "[1]A.state=on\n", json = R"({"traceEvents":[{"ph":"B","name":"a"}]})";
  const std::string ctf = "/* CTF 1.8 */", uftrace("Ftrace!\0", 8);
  EXPECT_EQ(told({{"b/x.log", log}, {"b/a.json", json}, {"b/readme", "words"}, {"b/s.json", "{}"}}),
            "a.json chrome-json; x.log tlv; 2");
  EXPECT_EQ(told({{"x.log", log}, {"processes", "USER PID\nroot 1\n"}}), "- tlv; 1");
  // A folder that is one trace, beside another trace; what is in it is none of its own.
  EXPECT_EQ(
      told({{"t/k/metadata", ctf}, {"t/k/a.json", json}, {"t/k/z.json", json}, {"u.json", json}}),
      "t/k ctf; u.json chrome-json; 0");
  // Files that one reader joins are one trace; each of the others is one.
  EXPECT_EQ(told({{"t/k/metadata", ctf}, {"t/u/metadata", ctf}, {"t/readme", "words"}}),
            "- ctf; 0");
  EXPECT_EQ(told({{"one/info", uftrace}, {"two/info", uftrace}}), "one uftrace; two uftrace; 0");
  // And those of an archive in it.
  const std::string inner =
      test::archive_of(test::Packing::kTarGzip, {{"a.log", log}, {"b.log", log}});
  EXPECT_EQ(told({{"in.tgz", inner}, {"u.json", json}}),
            "in.tgz/a.log tlv; in.tgz/b.log tlv; u.json chrome-json; 0");
  test::ArchiveFiles many;
  for (int i = 0; i < 65; ++i) many.emplace_back(std::to_string(i) + ".log", log);
  EXPECT_THAT(told(many), HasSubstr("several traces, 0.log, 1.log"));
  EXPECT_THAT(told(many), HasSubstr("45 more: name one"));
}

TEST(Formats, AFolderThatIsATraceIsFoundByAFileOfItInAnArchive) {
  const ScratchFolder folder;
  const auto archive = folder.write(
      "a.zip",
      test::archive_of(test::Packing::kZip, {{"t/metadata", "/* CTF 1.8 */"}, {"u", "1"}}));
  const auto recognised = recognise_single(*io::Source::open(archive / "t" / "metadata"), "");
  ASSERT_TRUE(recognised) << recognised.error().message;
  const io::Source& source = *recognised->inputs.front().source;
  EXPECT_TRUE(source.is_folder());
  EXPECT_TRUE(std::filesystem::exists(source.path()));
}

TEST(Formats, TheOneTraceInAFolderIsOpened) {
  const ScratchFolder folder;
  const auto text_of = [&](const char* name) { return test::read(folder / name)->text(); };
  std::filesystem::create_directory(folder / "one");
  (void)folder.write("one/notes", "none");
  (void)folder.write("one/x.log", "[1]A.state=on\n");
  EXPECT_THAT(text_of("one"), HasSubstr("lane A"));
  (void)folder.write("one/y.log", "[1]A.state=on\n");
  EXPECT_THAT(text_of("one"), HasSubstr("a folder of several traces, x.log, y.log: open them"));
  std::filesystem::create_directory(folder / "none");
  EXPECT_THAT(text_of("none"), HasSubstr("a folder without a trace"));
}

// Wrong lines among the first do not hide what the others are, nor does a last one that is cut.
TEST(Formats, MostOfTheFirstLinesSayWhatATextIs) {
  const ScratchFolder folder;
  const auto of = [&](const char* text) { return recognised(folder.write("a", text)); };
  EXPECT_EQ(of("[1]A.state=on\n[2]A.state=off\n[3]A.go()\nforeign\n"), "tlv");
  EXPECT_EQ(of("[1]A.state=on\n[2]A.st"), "tlv");
  EXPECT_EQ(of("main;a 1\nmain;b 2\nmain;c 3\nforeign\n"), "folded");
  EXPECT_EQ(of("main;a 1\nmain;b"), "folded");
}

// A table's first rows choose the unit; what does not fit it later is rounded, and told.
TEST(Formats, AFractionFarBehindInATableIsRoundedAndCounted) {
  const ScratchFolder folder;
  std::string table = "time,lane,type\n";
  for (int i = 0; i < 20'000; ++i) table += std::to_string(i) + ",a,step\n";
  const auto reading = test::read(folder.write("a.csv", table + "20000.5,a,late\n"));
  const std::string text = reading->text();
  EXPECT_THAT(text, HasSubstr("time base ticks"));
  EXPECT_THAT(text, HasSubstr("punctual 20001 on a: \"late\""));
  EXPECT_THAT(text, HasSubstr("note time rounded to whole ticks x 1"));
}

// Text is not a table because there are commas in it.
TEST(Formats, ATableWithoutNamesIsOneOfNumbersThatRunForward) {
  const ScratchFolder folder;
  const auto of = [&](const char* text) { return recognised(folder.write("a", text)); };
  EXPECT_EQ(of("1,5\n2,6\n3,7\n3,9\n"), "csv");
  EXPECT_EQ(of("0.5\t1\n1.5\t2\n2.5\t3\n3.5\t4\n"), "csv");
  for (const char* other : {
           "1,5\n2,6\n3,7\n",           // too few rows to be sure
           "1,5\n2,6\n1,7\n3,9\n",      // back
           "1,5\n1,6\n1,7\n1,9\n",      // not at all
           "1,5\n2,6\n3,7,8\n4,9\n",    // of other lengths
           "1,5\n2,6\n3,seven\n4,9\n",  // no numbers
           "1\n2\n3\n4\n",              // one column
           "Well, 1\nyes, 2\nno, 3\nor, 4\n",
       })
    EXPECT_THAT(of(other), HasSubstr("no trace type recognises it")) << other;
}

// Fields between colons are not counts of perf stat: these have a share with decimals.
TEST(Formats, AListOfUsersIsNoTrace) {
  const ScratchFolder folder;
  EXPECT_THAT(recognised(folder.write("a",
                                      "root:x:0:0:root:/root:/bin/sh\n"
                                      "bin:x:2:2:bin:/bin:/usr/sbin/nologin\n")),
              HasSubstr("no trace type recognises it"));
  EXPECT_EQ(recognised(folder.write("a", "28.00:msec:task-clock:28003754:100.00:0.280:CPUs\n")),
            "perf-stat");
}

// Lines of a web server's log have semicolons, and numbers at their ends.
TEST(Formats, LinesThatBeginWithDatesAreNoStacks) {
  const ScratchFolder folder;
  const std::string line =
      "2026-01-13 22:29:42 10.0.0.1 GET /a.js - 80 Agent/5.0+(Linux;+x86_64) 404 0 2 1405 260 "
      "376\n";
  EXPECT_THAT(recognised(folder.write("a", line + line + line)), testing::Ne("folded"));
  EXPECT_THAT(
      recognised(folder.write("b", "=== Summary ===\n   Time of backend::run() (ns):  93803157\n")),
      testing::Ne("folded"));
}

// They have hosts and clocks, as the logs do that they are looked for in.
TEST(Formats, PatternsOfShiVizAreNoLog) {
  const ScratchFolder folder;
  const auto of = [&](const char* text) { return recognised(folder.write("a", text)); };
  const std::string motif = R"({"host":"a","clock":{"a":1}},{"host":"b","clock":{"b":1,"a":1}})"
                            "\n";
  EXPECT_THAT(of(("2-event subgraphs\n" + motif + motif).c_str()), testing::Ne("shiviz"));
}

TEST(Formats, AnUnknownFileIsSaidToBeWhatItLooksLike) {
  const ScratchFolder folder;
  EXPECT_THAT(recognised(folder.write("a",
                                      "\x7F"
                                      "ELF\2\1\1")),
              HasSubstr("an ELF executable"));
  EXPECT_THAT(recognised(folder.write("b", "hello\n")), HasSubstr("text that begins with \"hello"));
  EXPECT_THAT(
      recognised(folder.write("c", "[1926099] dispatch to task 1.\n[1926446] enter\n[7] a\n")),
      HasSubstr("a log as TLV takes it from a kernel"));
  EXPECT_THAT(recognised(folder.write("d", "1.5,core 0,run\n1.7,core 1,run\n1.8,core 0,stop\n")),
              HasSubstr("a table without a header"));
  EXPECT_THAT(
      recognised(folder.write("c", std::string("\0\1\xFE", 3))),
      HasSubstr("no trace type recognises it: it is binary data that begins with 00 01 fe"));
  EXPECT_THAT(recognised(folder.write("c", "MYFM\1" + std::string(100, '\2'))),
              HasSubstr("begins with 4d 59 46 4d 01 02 02 02 02 02 02 02 02 02 02 02 (\"MYFM\")"));
  EXPECT_THAT(recognised(folder.write("d", std::string("\xFE\xFF\0h\0o", 6))),
              HasSubstr("text that begins with \"ho"));
  EXPECT_THAT(recognised(folder.write("e", "WEFT....")), HasSubstr(".weft"));
  EXPECT_THAT(recognised(folder.write("g", R"({"TimeScale":"us","ResourceHeaders":["asp"]})")),
              HasSubstr("open the log (.log) beside it"));
  EXPECT_THAT(recognised(folder.write("h", "{traces,<0.81.0>,in}.\n")), HasSubstr("is text"));
  EXPECT_THAT(recognised(folder.write("i", std::string("\3B\1\0\0\0\0\0\0\0\0", 11))),
              HasSubstr("open its .otf2"));
  EXPECT_EQ(recognised(folder.write("f", "")), "file is empty");
  EXPECT_THAT(recognised(folder.write("g", "[12:00:15][os] Using G1\n[12:00:16][os] x\n")),
              HasSubstr("text that begins with"));
  EXPECT_THAT(recognised("/proc/self/exe"), HasSubstr("an ELF executable"));
}

TEST(Formats, XmlThatIsNoTraceIsSaidToBeXml) {
  const ScratchFolder folder;
  const auto said_of = [&](const std::string& text) { return recognised(folder.write("x", text)); };
  EXPECT_THAT(said_of("<!-- ****\n* of someone\n**** -->\n<things/>\n"), HasSubstr("it is XML"));
  EXPECT_THAT(said_of("<?xml version=\"1.0\"?>\n<things/>\n"), HasSubstr("it is XML"));
  EXPECT_THAT(said_of("<?xml version=\"1.0\"?>\n<!-- a --><tmfxml xmlns=\"x\"></tmfxml>\n"),
              HasSubstr("an analysis of Trace Compass, not a trace"));
  EXPECT_THAT(said_of("<CustomTxtTraceDefinitionList></CustomTxtTraceDefinitionList>\n"),
              HasSubstr("a trace type of Trace Compass, not a trace"));
  EXPECT_THAT(said_of("<xs:schema></xs:schema>\n"), HasSubstr("a schema of XML, not a trace"));
  EXPECT_THAT(said_of("<trace><row time=\"1\"/></trace>\n"), HasSubstr("is text"));
  EXPECT_EQ(said_of("<trace><event timestamp=\"1\" name=\"a\"/></trace>\n"), "trace-compass-xml");
}

TEST(Formats, WhatIsNotReadIsNamedWithTheToolThatConvertsIt) {
  const ScratchFolder folder;
  const auto said_of = [&](const std::string& bytes) {
    return recognised(folder.write("x", bytes));
  };
  std::string etl(0x1000, '\0');  // a buffer's header, and the event that describes the trace
  etl[0x36] = 4;
  etl.replace(0x48, 4, std::string("\2\0\2\xC0", 4));
  EXPECT_THAT(said_of(etl), HasSubstr("`tracerpt FILE -of CSV`"));
  EXPECT_THAT(said_of(std::string("snoop\0\0\0\0\0\0\2", 12)), HasSubstr("`editcap FILE"));
  EXPECT_THAT(said_of(std::string("\x13\x80\0\1@", 5)), HasSubstr("`lxt2vcd FILE`"));
  EXPECT_THAT(said_of(std::string("VZ\0\1\0", 5)), HasSubstr("`vzt2vcd FILE`"));
}

// Pages with which tools of BCC come show what others print, too.
TEST(Formats, APageOfExamplesIsNotWhatItShows) {
  const ScratchFolder folder;
  EXPECT_THAT(
      recognised(folder.write("slabratetop_example.txt",
                              "Demonstrations of slabratetop, the Linux version.\n\n"
                              "CACHE                            ALLOCS      BYTES\n"
                              "kmalloc-64                           12        768\n\n"
                              "          kprobe-42    [002] d... 78.478331: kmem_cache_alloc: "
                              "(kmem_cache_alloc+0x0/0x1b0) name=\"kmalloc-64\"\n")),
      HasSubstr("it is a page that shows how a tool is used"));
}

TEST(Formats, RulesBesideALogAreNotTakenForATrace) {
  const ScratchFolder folder;
  const auto said_of = [&](const std::string& bytes) {
    return recognised(folder.write("x", bytes));
  };
  EXPECT_THAT(said_of(R"({"asp":{"Task":{"Attributes":{"id":{"AllocationType":"Static"}}}}})"),
              HasSubstr("a resource header of TLV logs: open a log"));
  EXPECT_THAT(said_of(R"({"asp":{"VisualizeRules":{"load":{}}}})"),
              HasSubstr("a visualization rule of TLV: open the log"));
  EXPECT_THAT(said_of(R"({"asp":{"Shapes":{"running":[]}}})"),
              HasSubstr("a visualization rule of TLV: open the log"));
  EXPECT_THAT(said_of(R"({"asp":{"\[(?<time>\d+)\] x":"[${time}]A.state=x"}})"),
              HasSubstr("a conversion rule of TLV: open the log"));
  EXPECT_THAT(said_of(R"({"use":{"Setting":{"AxisXTitle":"x"}}})"),
              HasSubstr("a statistics rule of TLV: open the log"));
  EXPECT_EQ(recognised(folder.write("x", R"({"Shapes":1,"traceEvents":[{"ph":"i"}]})")),
            "chrome-json");
}

TEST(Formats, SpansAreKnownByTheirMembers) {
  const ScratchFolder folder;
  EXPECT_EQ(recognised(folder.write("x", R"({"resourceSpans":[{"scopeSpans":[]}]})")), "spans");
  EXPECT_EQ(recognised(folder.write(
                "x", R"({"data":[{"traceID":"1","spans":[{"spanID":"1","operationName":"a"}]}]})")),
            "spans");
  EXPECT_EQ(recognised(folder.write(
                "x", R"([{"traceId":"1","id":"1","timestamp":1,"localEndpoint":{}}])")),
            "spans");
}

TEST(Formats, ChartsAreKnownByHowTheyBegin) {
  const ScratchFolder folder;
  const auto of = [&](const char* text) { return recognised(folder.write("x", text)); };
  EXPECT_EQ(of("sequenceDiagram\n  A->>B: hi\n"), "mermaid");
  EXPECT_EQ(of("---\ntitle: x\n---\n%%{init:\n {}\n}%%\n%% x\nsequenceDiagram\n"), "mermaid");
  EXPECT_EQ(of("```mermaid\nsequenceDiagram\n  A->>B: hi\n```\n"), "mermaid");
  EXPECT_EQ(of("' x\n@startuml\nA -> B\n@enduml\n"), "plantuml");
  EXPECT_EQ(of("a, b;\na => b: x;\n"), "msgenny");
  EXPECT_EQ(of("msc { a, b; a => b; }"), "mscgen");
  EXPECT_THAT(of("flowchart LR\n  A --> B\n"), HasSubstr("text that begins"));
  EXPECT_THAT(of("int main() {\n  a->b;\n}\n"), HasSubstr("text that begins"));
}

TEST(Formats, LogsAreKnownByTheHeaderThatNamesTheirFields) {
  const ScratchFolder folder;
  const auto of = [&](const char* text) { return recognised(folder.write("x", text)); };
  EXPECT_EQ(of("#separator \\x09\n#fields\tts\tuid\n1.5\tC1\n"), "field-log");
  EXPECT_EQ(of("#Version: 1.0\n#Fields: date time cs-method\n"), "field-log");
  EXPECT_EQ(of(R"({"ts":1.5,"uid":"C1","id.orig_h":"10.0.0.1","id.resp_h":"10.0.0.2"})"),
            "field-log");
  EXPECT_NE(of("# a comment\n# Fields: none\n1.5 GET /\n"), "field-log");
}

TEST(Formats, EventsOnLinesOfTheirOwnAreALog) {
  const ScratchFolder folder;
  const std::string event = R"({"name":"a","ph":"X","pid":1,"tid":1,"ts":1,"dur":5})";
  EXPECT_EQ(recognised(folder.write("x", event + "\n" + event + "\n")), "logged-events");
  EXPECT_EQ(recognised(folder.write("x", R"({"traceEvents":[)" + event + "]}")), "chrome-json");
  EXPECT_EQ(recognised(folder.write("x", "[" + event + ",\n" + event + "]")), "chrome-json");
}

TEST(Formats, OneDocumentWithATimeIsNoLog) {
  const ScratchFolder folder;
  const std::string time = R"("timestamp":"2024-03-20T19:35:03.629Z")";
  EXPECT_EQ(recognised(folder.write("x", "{" + time + R"(,"level":"info","message":"a"})")),
            "program-log");
  EXPECT_EQ(recognised(folder.write("x", "{" + time + "}\n{" + time + "}\n")), "program-log");
  EXPECT_NE(recognised(folder.write("x", "{" + time + R"(,"version":"1","files":[1,2]})")),
            "program-log");
}

TEST(Formats, ABracketAloneIsNoTrace) {
  const ScratchFolder folder;
  EXPECT_THAT(recognised(folder.write("x", "[/\n  Copyright\n]\n")), HasSubstr("text that begins"));
  EXPECT_THAT(recognised(folder.write("x", "[1, 2]\n")), HasSubstr("text that begins"));
  EXPECT_EQ(recognised(folder.write("x", "[null,{\"ph\":\"i\"}]\n")), "chrome-json");
}

TEST(Formats, OneLineWhateverTheContent) {
  const ScratchFolder folder;
  const std::string message = recognised(folder.write("a", "line\nline\x1b[31m\xff\n"));
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace weft::formats
