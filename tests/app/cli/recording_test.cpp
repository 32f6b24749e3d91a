// --keep-last, --trigger and --after from the outside.
// covers B-23 C-14
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/app/cli/program.h"
#include "tests/core/base/eventually.h"

namespace weft::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class Recording : public ProgramTest {
 protected:
  Recording() {
    std::string lines;
    for (int i = 0; i < 20'000; ++i) {
      lines += fmt::format("  app-7  [000] ....  {}.000000: tracing_mark_write: B|7|{}\n", 100 + i,
                           i == 12'000 ? "boom" : "work");
      lines += fmt::format("  app-7  [000] ....  {}.500000: tracing_mark_write: E|7\n", 100 + i);
    }
    log_ = folder_.write("log", lines);
  }
  Outcome import(std::vector<std::string> options) const {
    std::vector<std::string> arguments = {"import", "-", "-o", folder_ / "out.weft", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(std::move(arguments), log_);
  }
  Outcome info() const { return run({"info", folder_ / "out.weft", "--json"}); }

  static bool catches(pid_t process, int signal) {
    std::ifstream status(fmt::format("/proc/{}/status", process));
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigCgt:"))
        return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
    }
    return false;
  }
  static bool has_ended(pid_t process) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == process;
  }

  std::string log_;
};

TEST_F(Recording, TheNewestIsKeptAndTheRestIsToldOf) {
  const Outcome done = import({"--keep-last", "500s", "--keep-last", "400MB"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  const auto info = this->info().json();
  const uint64_t kept = info["counts"]["state"];
  EXPECT_GE(kept, 500u);
  EXPECT_LT(kept, 2'000u);
  ASSERT_EQ(info["losses"].size(), 1u);
  EXPECT_EQ(info["losses"][0]["kind"], "event older than what is kept");
  EXPECT_EQ(info["losses"][0]["count"], 20'000 - kept);
  EXPECT_EQ(info["losses"][0]["is_damage"], false);
  EXPECT_EQ(run({"verify", folder_ / "out.weft"}).exit_code, 0);
  EXPECT_THAT(run({"info", folder_ / "out.weft"}).out, HasSubstr("event older than what is kept"));
}

TEST_F(Recording, AnEventEndsTheImport) {
  const Outcome done =
      import({"--keep-last", "300s", "--trigger", "type == boom && dur > 1ms", "--after", "200s"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("weftscope: trigger: boom on "));
  const auto info = this->info().json();
  EXPECT_LT(info["counts"]["state"], 8'000);
  EXPECT_EQ(info["metadata"]["trigger"], "type == boom && dur > 1ms");
  const Outcome found = run({"find", folder_ / "out.weft", "boom", "--count"});
  EXPECT_THAT(found.out, HasSubstr("1"));
}

TEST_F(Recording, AnEventThatDoesNotComeIsSaid) {
  const Outcome done = import({"--trigger", "dur > 1s"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("no event came"));
  EXPECT_EQ(info().json()["counts"]["state"], 20'000);
}

// The output of a program that never ends, until whoever watches has seen enough.
TEST_F(Recording, ASignalEndsWhatHasNoEndAndWhatCameIsKept) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t child = start({"import", pipe, "-o", folder_ / "out.weft", "--json"});
    std::ofstream writer(pipe);
    writer << test::content_of(log_) << std::flush;  // larger than the pipe: most of it was read
    ::kill(child, signal);
    const Outcome done = end_of(child);
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.err, "weftscope: stopped: what had come until then is kept\n");
    EXPECT_GT(done.json()["events"], 1'000);
    EXPECT_EQ(info().json()["counts"]["state"], done.json()["events"]);
    EXPECT_EQ(run({"verify", folder_ / "out.weft"}).exit_code, 0);
  }
}

TEST_F(Recording, ASignalLeavesNothingOfWhatHasAnEnd) {
  std::string large = test::content_of(log_);
  for (int i = 0; i < 4; ++i) large += large;  // more than is read in a moment
  Outcome done;
  const auto is_too_late = [&] { return done.exit_code == 0 && done.err.empty(); };
  // Tries again with more data if all was read before the signal came.
  for (int tries = 0; tries < 3 && (tries == 0 || is_too_late()); ++tries, large += large) {
    std::filesystem::remove(folder_ / "out.weft");
    const std::string input = folder_.write("large", large);
    const pid_t child = start({"import", "-", "-o", folder_ / "out.weft"}, input);
    EXPECT_TRUE(test::eventually([&] { return catches(child, SIGINT) || has_ended(child); }));
    ::kill(child, SIGINT);
    done = end_of(child);
  }
  EXPECT_EQ(done.exit_code, -SIGINT) << done.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.weft"));
}

TEST_F(Recording, WhatCannotBeIsWrongUsage) {
  const auto expect_usage = [&](const Outcome& done, const char* says) {
    EXPECT_EQ(done.exit_code, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr(says));
    EXPECT_THAT(done.err, Not(HasSubstr("\n\n")));
  };
  expect_usage(import({"--keep-last", "5m"}), "neither a time");
  expect_usage(import({"--keep-last", "5s", "--keep-last", "6s"}), "contradicts");
  expect_usage(import({"--trigger", "dur >"}), "column 6");
  expect_usage(import({"--trigger", "depth == 1"}), "column 1: 'depth'");
  expect_usage(import({"--trigger", "a", "--after", "soon"}), "after: ");
  expect_usage(import({"--after", "1s"}), "--trigger");
  expect_usage(run({"import", log_, "-o", folder_ / "out.weft", "--keep-last", "5s"}),
               "may have no end");
  expect_usage(run({"import", "-", log_, "-o", folder_ / "out.weft", "--keep-last", "5s"}),
               "one input");
  expect_usage(run({log_, "--keep-last", "5s"}), "may have no end");
}

}  // namespace
}  // namespace weft::cli
