// The result of `import` for one file and for several, and what it may cost.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/app/cli/program.h"
#include "tests/core/base/eventually.h"
#include "tests/core/io/archives.h"
#include "tests/core/io/compress.h"
#include "tests/core/io/live_pipe.h"

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using ImportCommand = ProgramTest;

TEST_F(ImportCommand, MakesAFileThatSaysTheSame) {
  const std::string output = folder_ / "small.weft";
  const Outcome done = run({"import", small_, "-o", output, "--json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const json figures = done.json();
  EXPECT_EQ(figures["events"], 5);
  EXPECT_EQ(figures["bytes"], std::filesystem::file_size(output));
  for (const char* key :
       {"seconds", "events_per_second", "peak_rss", "peak_private", "bytes_per_event"}) {
    EXPECT_GT(figures[key].get<double>(), 0) << key;
  }
  EXPECT_EQ(figures["losses"], json::array());
  EXPECT_EQ(run({"events", output, "--json"}).out, run({"events", small_, "--json"}).out);
  EXPECT_EQ(run({"verify", output}).exit_code, 0);
  EXPECT_EQ(run({"verify", output, "--json"}).json()["is_sound"], true);
}

TEST_F(ImportCommand, WhatItMakesIsReadFromPipesToo) {
  const std::string weft = folder_ / "small.weft", other = folder_ / "-";
  ASSERT_EQ(run({"import", small_, "-o", weft}).exit_code, 0);
  const std::string expected = run({"events", weft, "--json"}).out;
  folder_.write("one.json", R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])");
  ASSERT_EQ(run({"import", folder_ / "one.json", "-o", other}).exit_code, 0);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());  // a file called as standard input is another one
  EXPECT_EQ(run({"events", "-", "--json"}, weft).out, expected);
  std::filesystem::current_path(before);
  const std::string content = test::content_of(weft);
  int number = 0;
  for (const std::string& sent : {content, test::gzip(content)}) {
    test::LivePipe pipe(folder_ / fmt::format("pipe{}", ++number));
    const pid_t child = start({"events", pipe.path(), "--json"});
    pipe.write(sent);
    ASSERT_TRUE(test::eventually([&] { return pipe.is_read(); }));
    pipe.close();
    const Outcome done = end_of(child);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.out, expected);
  }
}

// covers B-20
TEST_F(ImportCommand, KeepsToItsMemory) {
  constexpr uint64_t kLimit = 64 << 20;
  for (const auto& [format, events] :
       {std::pair("chrome-json", "1000000"), std::pair("nexus-lite", "5000000")}) {
    const std::string file = folder_ / format;
    ASSERT_EQ(run({"generate", format, "--events", events, "-o", file}).exit_code, 0);
    const Outcome done =
        run({"import", file, "-o", folder_ / "out.weft", "--memory", "64M", "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const json figures = done.json();
    EXPECT_GT(figures["bytes"].get<uint64_t>(), 0u);
    EXPECT_LT(figures["peak_private"].get<uint64_t>(), kLimit + kLimit / 10) << format;
  }
}

// Messages that nobody receives wait for their ends.
TEST_F(ImportCommand, KeepsToItsMemoryWhereMuchIsOpen) {
  constexpr uint64_t kLimit = 128 << 20;
  constexpr int kFlows = 600'000;
  std::string text = "[";
  for (int i = 0; i < kFlows; ++i)
    text += fmt::format(
        "{{\"ph\":\"s\",\"name\":\"a\",\"id\":{0},\"pid\":1,\"tid\":1,\"ts\":{0}}},\n", i);
  const std::string file = folder_.write("open.json", text);
  const json figures =
      run({"import", file, "-o", folder_ / "out.weft", "--memory", "128M", "--json"}).json();
  EXPECT_EQ(figures["events"], kFlows);
  EXPECT_LT(figures["peak_private"].get<uint64_t>(), kLimit + kLimit / 10);
}

TEST_F(ImportCommand, TellsFilesOfOneNameApart) {
  const std::string event = R"([{"ph":"i","name":"a","pid":1,"tid":1,"ts":1}])";
  const auto write = [&](const std::string& folder) {
    std::filesystem::create_directories((folder_ / folder).c_str());
    return folder_.write(folder + "/trace.json", event);
  };
  const std::string first = write("one/run"), second = write("two/run"), other = write("two");
  const std::string output = folder_ / "joined.weft";
  ASSERT_EQ(run({"import", first, second, other, other, "-o", output}).exit_code, 0);
  std::vector<std::string> files;
  for (const json& event_read : run({"events", output, "--json"}).json_lines())
    files.push_back(event_read["lane"][0]);
  EXPECT_THAT(files, ::testing::ElementsAre("one/run/trace.json", "two/run/trace.json",
                                            "two/trace.json", "two/trace.json (2)"));
}

TEST_F(ImportCommand, JoinsSeveralFilesBelowLanesOfTheirNames) {
  const std::string other = folder_.write("other.json", kSmallTrace);
  const std::string output = folder_ / "joined.weft";
  ASSERT_EQ(run({"import", small_, other, "-o", output}).exit_code, 0);
  const auto lines = run({"events", output, "--json"}).json_lines();
  ASSERT_EQ(lines.size(), 10u);
  EXPECT_EQ(lines[0]["lane"], json::parse(R"(["small.json","app","main"])"));
  EXPECT_EQ(lines[1]["lane"], json::parse(R"(["other.json","app","main"])"));
}

// An archive is what its traces are: joined as if they had been named, or one is chosen.
TEST_F(ImportCommand, JoinsTheTracesOfAnArchive) {
  const std::string archive = folder_.write(
      "runs.zip", test::archive_of(test::Packing::kZip, {{"runs/a.json", std::string(kSmallTrace)},
                                                         {"runs/b.json", std::string(kSmallTrace)},
                                                         {"runs/readme", "words"}}));
  const std::string output = folder_ / "joined.weft";
  const Outcome joined = run({"import", archive, "-o", output, "--json"});
  ASSERT_EQ(joined.exit_code, 0) << joined.err;
  EXPECT_EQ(joined.json()["losses"][0]["kind"],
            "file of an archive, or part of a page, that is not read");
  const auto lines = run({"events", output, "--json"}).json_lines();
  ASSERT_EQ(lines.size(), 10u);
  EXPECT_EQ(lines[0]["lane"], json::parse(R"(["a.json","app","main"])"));
  EXPECT_EQ(lines[1]["lane"], json::parse(R"(["b.json","app","main"])"));
  const Outcome info = run({"info", archive});
  EXPECT_EQ(info.exit_code, 1);
  EXPECT_THAT(info.err, HasSubstr(archive + ": is an archive of several traces, a.json, b.json: "
                                            "name one behind it, as ARCHIVE/a.json"));
  const Outcome one = run({"info", archive + "/b.json", "--json"});
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.json()["counts"], run({"info", small_, "--json"}).json()["counts"]);
  EXPECT_THAT(run({"info", archive + "/c.json"}).err,
              HasSubstr(archive + "/c.json: is not in the archive"));
  const Outcome drawn = run({"snapshot", archive, "-o", folder_ / "picture.svg"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_THAT(test::content_of(folder_ / "picture.svg"), HasSubstr("b.json"));
}

TEST_F(ImportCommand, RefusesToJoinFilesThatCountTimeInDifferentUnits) {
  const std::string nexus = folder_ / "other.nexus";
  ASSERT_EQ(run({"generate", "nexus-lite", "-o", nexus, "--events", "10"}).exit_code, 0);
  const Outcome done = run({"import", small_, nexus, "-o", folder_ / "joined.weft"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.err, HasSubstr(nexus + ": counts time in another unit"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "joined.weft"));
}

TEST_F(ImportCommand, NeverWritesOverItsInput) {
  const std::string file = folder_.write("small", kSmallTrace);
  const Outcome done = run({"import", file, "-o", file});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_EQ(test::content_of(file), kSmallTrace);
}

TEST_F(ImportCommand, MakesNothingThatItsNameSaysIsOfAnotherFormat) {
  for (const auto& [name, format] :
       {std::pair("other.json", "chrome-json"), {"other.csv", "csv"}}) {
    const std::string output = folder_ / name;
    const Outcome done = run({"import", small_, "-o", output});
    EXPECT_EQ(done.exit_code, 2);
    EXPECT_EQ(done.err, fmt::format("weftscope: {0}: import makes a .weft; to write {1}, use "
                                    "weftscope export FILE -o {0}\n",
                                    output, format));
    EXPECT_FALSE(std::filesystem::exists(output));
    EXPECT_THAT(run({"export", small_, "-o", output}).out, HasSubstr(format));
  }
}

}  // namespace
}  // namespace weft::cli
