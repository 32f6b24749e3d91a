// Plugins: one that works, and what becomes of those that do not.
// covers NX-09, NX-13, R10
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/opening/reader_process.h"
#include "core/formats/formats.h"
#include "tests/app/cli/program.h"
#include "tests/core/base/eventually.h"
#include "tests/core/formats/recording_sink.h"
#include "tests/core/io/archives.h"
#include "tests/core/io/compress.h"
#include "tests/core/io/live_pipe.h"

namespace weft::formats {
Format steps_format();  // docs/examples/steps_reader.cpp
}

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kSteps =
    "STEPS 1\n"
    "10 main begin boot\n"
    "20 main begin load\n"
    "25 io begin read\n"
    "40 main end load\n"
    "nonsense\n"
    "70 main end boot\n";

class Plugins : public ProgramTest {
 protected:
  Plugins() {
    fs::create_directories(plugins());
    fs::permissions(plugins().parent_path(), fs::perms::owner_all);
    fs::permissions(plugins(), fs::perms::owner_all);
  }
  fs::path plugins() const { return folder_.path() / "data/weftscope/plugins"; }
  void install(const char* name) const {
    const fs::path to = plugins() / (std::string(name) + ".so");
    fs::copy_file(fs::path(WEFT_PLUGINS) / (std::string(name) + ".so"), to);
    fs::permissions(to, fs::perms::owner_read | fs::perms::owner_exec);
  }
};

TEST_F(Plugins, AreTraceTypesLikeTheOthers) {
  install("steps_plugin");
  const std::string trace = folder_.write("a.steps", kSteps);
  const auto types = run({"formats", "--json"}).json()["formats"];
  EXPECT_EQ(types.back()["id"], "steps");
  EXPECT_EQ(types.back()["category"], "Examples");
  EXPECT_EQ(types.back()["panels"], nlohmann::json::parse(R"(["density", "pages"])"));
  EXPECT_THAT(run({"formats", "steps"}).out, HasSubstr("steps_plugin.so"));
  const Outcome info = run({"info", trace, "--json"});
  EXPECT_EQ(info.exit_code, 3) << info.err;
  EXPECT_EQ(info.json()["format"], "steps");
  EXPECT_EQ(info.json()["time_base"], "us");
  EXPECT_EQ(info.json()["counts"]["state"], 2);
  EXPECT_EQ(info.json()["losses"][0]["kind"], "line that is not a step");
  EXPECT_EQ(info.json()["losses"][0]["first"][0], 80);
  EXPECT_EQ(info.json()["losses"][1]["kind"], "begin without an end");
  const Outcome page = run({"stats", trace, "--page", "steps", "--json"});
  EXPECT_EQ(page.json()["rows"][0],
            nlohmann::json::parse(R"({"step": "boot", "count": 1, "time": 60})"));
}

// docs/new-trace-type.md adds the type in both ways.
TEST_F(Plugins, ReadWhatARowOfTheTableReads) {
  install("steps_plugin");
  const std::string trace = folder_.write("a.steps", kSteps);
  test::RecordingSink by_row, by_plugin;
  auto source = io::Source::open(trace);
  ASSERT_TRUE(source);
  ThreadPool pool(1);
  const formats::Format row = formats::steps_format();
  ASSERT_TRUE(formats::read(row, **source, by_row, {.pool = pool, .options = {}}));
  ::setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);
  const auto read = app::read_apart({.program = app::reader_program().value(),
                                     .path = trace,
                                     .format = row.id,
                                     .origin = plugins() / "steps_plugin.so",
                                     .options = {},
                                     .memory_bytes = 16 << 20},
                                    by_plugin);
  ::unsetenv("XDG_DATA_HOME");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(by_row.state_events().size(), 2u);
  EXPECT_EQ(by_plugin.dump(), by_row.dump());
}

TEST_F(Plugins, ThatCrashWhileReadingLeaveWhatTheyHaveSaid) {
  install("bad_crashes_in_read");
  const Outcome info = run({"info", folder_.write("a", "BAD"), "--json"});
  EXPECT_EQ(info.exit_code, 3) << info.err;
  EXPECT_GT(info.json()["counts"]["punctual"], 0);
  EXPECT_THAT(info.json()["losses"][0]["kind"].get<std::string>(), HasSubstr("Aborted"));
}

// What was said a while before is not among it: it is on its way, few as it is.
TEST_F(Plugins, ThatCrashLoseTheLastMomentsAlone) {
  install("bad_crashes_later");
  const Outcome info = run({"info", folder_.write("a", "BAD"), "--json"});
  EXPECT_EQ(info.exit_code, 3) << info.err;
  EXPECT_EQ(info.json()["counts"]["punctual"], 1000);
}

TEST_F(Plugins, ReadStandardInput) {
  install("steps_plugin");
  const std::string trace = folder_.write("a.steps", kSteps);
  const Outcome info = run({"info", "-", "--json"}, trace);
  EXPECT_EQ(info.exit_code, 3) << info.err;
  EXPECT_EQ(info.json()["counts"]["state"], 2);
  const std::string packed = test::gzip(kSteps);
  const auto cut = folder_.write("cut.gz", packed.substr(0, packed.size() - 10));
  EXPECT_THAT(run({"info", "-"}, cut).out, HasSubstr("input ends early"));
}

// They read a copy: what is in it when the input is stopped is read.
TEST_F(Plugins, OfAPipeThatIsStoppedReadWhatHasCome) {
  install("steps_plugin");
  test::LivePipe pipe(folder_ / "pipe");
  const pid_t child = start({"import", pipe.path(), "-o", folder_ / "out.weft", "--json"});
  pipe.write(kSteps);
  const auto is_copying = [&] {
    std::error_code error;
    const fs::path files = fmt::format("/proc/{}/fd", child);
    for (const auto& file : fs::directory_iterator(files, error)) {
      if (fs::read_symlink(file.path(), error).filename().string().starts_with("file-"))
        return true;
    }
    return false;
  };
  ASSERT_TRUE(test::eventually([&] { return pipe.is_read() && is_copying(); }));
  ::kill(child, SIGINT);
  const Outcome done = end_of(child);
  EXPECT_EQ(done.exit_code, 3) << done.err;
  EXPECT_THAT(done.err, HasSubstr("stopped: what had come until then is kept"));
  EXPECT_EQ(done.json()["events"], 2);
  EXPECT_THAT(done.out, HasSubstr("the rest, for reading was stopped"));
}

// A process for each file would take a fifth of a second each.
TEST_F(Plugins, AreAskedAboutTheFilesOfAnArchiveTogether) {
  install("bad_starts_slowly");
  install("steps_plugin");
  test::ArchiveFiles files;
  for (int i = 0; i < 60; ++i) files.emplace_back("notes/" + std::to_string(i), "a word");
  files.emplace_back("a", "\n\n" + std::string(kSteps));
  files.emplace_back("b", "BAD");
  const auto archive = folder_.write("a.zip", test::archive_of(test::Packing::kZip, files));
  const auto begin = std::chrono::steady_clock::now();
  const Outcome info = run({"info", archive});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(6));
  EXPECT_THAT(info.err, HasSubstr("is an archive of several traces, a, b"));
}

TEST_F(Plugins, ThatCrashOrHangWhileSniffingCostALineAndNothingElse) {
  for (const auto& [name, line] : {std::pair("bad_crashes_in_sniff", "it stopped: Aborted"),
                                   std::pair("bad_hangs_in_sniff", "it does not answer")}) {
    fs::remove_all(plugins());
    fs::create_directory(plugins());
    install(name);
    const Outcome info = run({"info", small_, "--no-cache"});
    EXPECT_EQ(info.exit_code, 0) << info.err;
    EXPECT_THAT(info.err, HasSubstr(line));
    EXPECT_EQ(std::ranges::count(info.err, '\n'), 1) << info.err;
  }
}

TEST_F(Plugins, AreAskedOnlyWhereTheyMayBeNeeded) {
  install("bad_other_version");  // tells of itself
  const std::string weft = (folder_ / "small.weft").string();
  ASSERT_EQ(run({"import", small_, "-o", weft}).exit_code, 0);
  EXPECT_EQ(run({"info", weft}).err, "");
  EXPECT_EQ(run({"formats", "chrome-json"}).err, "");
  EXPECT_THAT(run({"formats", "steps"}).err, HasSubstr("it is for version 2"));
  EXPECT_THAT(run({"formats"}).err, HasSubstr("it is for version 2"));
}

TEST_F(Plugins, OfAnotherVersionOrNoPluginsAtAllAreLeftOut) {
  install("bad_other_version");
  std::ofstream(plugins() / "text.so") << "no object";
  fs::permissions(plugins() / "text.so", fs::perms::owner_read);
  const Outcome types = run({"formats"});
  EXPECT_EQ(types.exit_code, 0);
  EXPECT_THAT(types.out, Not(HasSubstr("Bad")));
  EXPECT_THAT(types.err, HasSubstr("it is for version 2 of weftscope_reader.h"));
  EXPECT_THAT(types.err, HasSubstr("text.so: is not a plugin"));
  EXPECT_EQ(std::ranges::count(types.err, '\n'), 2) << types.err;
}

TEST_F(Plugins, ThatTalkNonsenseAreNotBelieved) {
  install("bad_nonsense");
  const Outcome info = run({"info", folder_.write("a", "BAD"), "--json"});
  EXPECT_EQ(info.exit_code, 3) << info.err;
  EXPECT_EQ(info.json()["counts"]["state"], 1);
  EXPECT_EQ(info.json()["counts"]["link"], 0);
  EXPECT_EQ(info.json()["begin"], 5);
  uint64_t count = 0;
  const auto said = info.json();
  for (const auto& loss : said["losses"]) count += loss["count"].get<uint64_t>();
  EXPECT_EQ(count, 12u) << info.out;
}

TEST_F(Plugins, ThatFailSayWhyInOneLine) {
  install("bad_fails");
  const Outcome info = run({"info", folder_.write("a", "BAD")});
  EXPECT_EQ(info.exit_code, 1);
  EXPECT_THAT(info.err, HasSubstr("cannot: \\x1b[31m"));
}

TEST_F(Plugins, StartNothing) {
  install("bad_starts");
  EXPECT_EQ(run({"info", folder_.write("a", "BAD")}).exit_code, 0);
}

TEST_F(Plugins, ThatOthersMayChangeAreNotLoaded) {
  install("steps_plugin");
  const std::string trace = folder_.write("a.steps", kSteps);
  const auto refused = [&](const fs::path& changed, fs::perms perms, const char* why) {
    const fs::perms before = fs::status(changed).permissions();
    fs::permissions(changed, perms, fs::perm_options::add);
    const Outcome info = run({"info", trace});
    EXPECT_EQ(info.exit_code, 1) << changed;
    EXPECT_THAT(info.err, HasSubstr(why));
    fs::permissions(changed, before);
  };
  refused(plugins() / "steps_plugin.so", fs::perms::others_write, "others may write to it");
  refused(plugins(), fs::perms::others_write, "others may write to it");
  refused(plugins().parent_path(), fs::perms::group_write, "others may write to it");
  fs::rename(plugins() / "steps_plugin.so", folder_.path() / "steps_plugin.so");
  fs::create_symlink(folder_.path() / "steps_plugin.so", plugins() / "steps_plugin.so");
  const Outcome info = run({"info", trace});
  EXPECT_THAT(info.err, HasSubstr("it is not a file"));
  // Beside the trace, and in the folder that is worked in, nothing is looked for.
  fs::remove_all(plugins());
  EXPECT_EQ(run({"info", trace}).exit_code, 1);
}

}  // namespace
}  // namespace weft::cli
