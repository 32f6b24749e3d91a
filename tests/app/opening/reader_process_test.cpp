// Reading in a process of its own: the same trace, and what becomes of it when that process dies.
// covers R10
#include "app/opening/reader_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>

#include "app/opening/inquiry.h"
#include "app/reader/sandbox.h"
#include "core/trace/event_wire.h"
#include "tests/app/sample_trace.h"
#include "tests/core/formats/ctf_samples.h"
#include "tests/core/formats/recording_sink.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

class ReaderProcess : public ::testing::Test {
 protected:
  // A program that sends what the reader would, and then does something else.
  fs::path reader_that(const std::string& what) {
    const fs::path said = folder_.path() / "said";
    const int fd = ::open(said.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    trace::WireWriter writer(fd);
    const LaneId lane = writer.add_lane({"lane"});
    const trace::StateEvent state{
        {10}, {20}, ParamsId::none(), lane, writer.type(trace::Category::kState, "work", "")};
    writer.states({&state, 1});
    writer.progress(50, 100);
    writer.end({});
    ::close(fd);
    const fs::path script = folder_.path() / "reader";
    std::ofstream(script) << "#!/bin/sh\n" << what << '\n';
    fs::permissions(script, fs::perms::owner_all);
    return script;
  }
  // Without the last message: a header, a byte and an empty text.
  std::string all_but_the_end() const {
    return "head -c -13 " + (folder_.path() / "said").string() + " >&3";
  }
  ReaderJob job(const fs::path& program) const {
    return {program, folder_.path() / "trace", "chrome-json", {}, {}, 64 << 20};
  }

  testing::ScratchFolder folder_;
  test::RecordingSink sink_;
};

TEST_F(ReaderProcess, ThatEndsWellGivesEverything) {
  const fs::path said = folder_.path() / "said";
  EXPECT_TRUE(read_apart(job(reader_that("cat " + said.string() + " >&3")), sink_));
  EXPECT_EQ(sink_.state_events().size(), 1u);
  EXPECT_TRUE(sink_.dictionary().report.losses().empty());
}

TEST_F(ReaderProcess, ThatDiesLeavesWhatItHasSentAndALoss) {
  EXPECT_TRUE(read_apart(job(reader_that(all_but_the_end() + "; kill -ABRT $$")), sink_));
  EXPECT_EQ(sink_.state_events().size(), 1u);
  ASSERT_EQ(sink_.dictionary().report.losses().size(), 1u);
  const trace::Loss& loss = sink_.dictionary().report.losses()[0];
  EXPECT_EQ(loss.kind, "the rest, for the reader stopped: Aborted");
  EXPECT_EQ(loss.first[0].offset, 50u);
  EXPECT_TRUE(loss.is_damage);
}

TEST_F(ReaderProcess, ThatDiesAtOnceIsAnError) {
  const auto status = read_apart(job(reader_that("kill -KILL $$")), sink_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "its reader (chrome-json) stopped before anything was read: Killed");
}

TEST_F(ReaderProcess, ThatTalksNonsenseIsNotBelieved) {
  const auto status = read_apart(job(reader_that("cat /bin/sh >&3")), sink_);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("what no reader says"), std::string::npos);
}

TEST_F(ReaderProcess, ThatHangsIsKilledWhenNobodyWantsMore) {
  class Impatient final : public test::RecordingSink {
   public:
    bool keep_going() const override { return state_events().empty(); }
  } sink;
  EXPECT_TRUE(read_apart(job(reader_that(all_but_the_end() + "; sleep 1000")), sink));
  EXPECT_EQ(sink.state_events().size(), 1u);
}

TEST_F(ReaderProcess, ThatDiesIsNotWaitedForWhereAnotherHoldsItsPipe) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(
      read_apart(job(reader_that(all_but_the_end() + "; sleep 100 & kill -ABRT $$")), sink_));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(sink_.state_events().size(), 1u);
  ASSERT_EQ(sink_.dictionary().report.losses().size(), 1u);
  EXPECT_EQ(sink_.dictionary().report.losses()[0].kind,
            "the rest, for the reader stopped: Aborted");
}

TEST_F(ReaderProcess, ThatSaysNothingMoreAndGoesOnIsKilled) {
  EXPECT_TRUE(read_apart(job(reader_that(all_but_the_end() + "; exec sleep 100 3>&-")), sink_));
  EXPECT_EQ(sink_.state_events().size(), 1u);
  ASSERT_EQ(sink_.dictionary().report.losses().size(), 1u);
  EXPECT_EQ(sink_.dictionary().report.losses()[0].kind, "the rest, for the reader stopped: Killed");
}

TEST_F(ReaderProcess, ThatGoesRoundInCirclesIsKilled) {
  ReaderJob endless = job(reader_that(all_but_the_end() + "; while :; do :; done"));
  endless.patience = std::chrono::milliseconds(100);
  EXPECT_TRUE(read_apart(endless, sink_));
  EXPECT_EQ(sink_.state_events().size(), 1u);
  ASSERT_EQ(sink_.dictionary().report.losses().size(), 1u);
  EXPECT_EQ(sink_.dictionary().report.losses()[0].kind,
            "the rest, for the reader stopped: it went round in circles");
}

TEST_F(ReaderProcess, ThatSleepsForEverIsKilledThoughItHasComputedBefore) {
  const std::string compute = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done";
  ReaderJob asleep = job(reader_that(all_but_the_end() + "; " + compute + "; sleep 1000"));
  asleep.patience = std::chrono::milliseconds(500);  // six seconds of sleep
  EXPECT_TRUE(read_apart(asleep, sink_));
  EXPECT_EQ(sink_.state_events().size(), 1u);
  ASSERT_EQ(sink_.dictionary().report.losses().size(), 1u);
  EXPECT_EQ(sink_.dictionary().report.losses()[0].kind,
            "the rest, for the reader stopped: it waited for what does not come");
}

TEST_F(ReaderProcess, ThatIsNotThereIsAnError) {
  EXPECT_FALSE(read_apart(job(folder_.path() / "none"), sink_));
}

TEST_F(ReaderProcess, MayReadAndNothingElse) {
  const auto program = reader_program();
  ASSERT_TRUE(program) << "weftscope-reader stands beside the tests";
  const fs::path trace = folder_.path() / "trace";
  std::ofstream(trace) << R"([{"name":"a","ph":"X","pid":1,"tid":1,"ts":1,"dur":2},)";
  ReaderJob job{*program, trace, "chrome-json", {}, {}, 64 << 20};
  EXPECT_TRUE(read_apart(job, sink_));
  EXPECT_EQ(sink_.state_events().size(), 1u);
  job.path = folder_.path() / "none";
  const auto status = read_apart(job, sink_);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("does not exist"), std::string::npos);
}

// Babeltrace ends its process at the length of a sequence in a context.
void write_deadly_trace(const fs::path& folder) {
  test::write_file(folder / "metadata",
                   "/* CTF 1.8 */\n"
                   "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
                   "trace { major = 1; minor = 8; byte_order = le; };\n"
                   "stream { packet.context := struct { uint8_t n; uint8_t all[n]; };\n"
                   "         event.context := struct { uint8_t __n; uint8_t _all[__n]; }; };\n");
}

TEST_F(ReaderProcess, OfManyTracesLeavesOutThoseThatItDiesOf) {
  const auto program = reader_program();
  ASSERT_TRUE(program);
  const fs::path all = folder_.path() / "all";
  test::write_ctf_kernel(all / "kernel");
  ReaderJob job{*program, all, "ctf", {}, {}, 64 << 20};
  ASSERT_TRUE(read_apart(job, sink_));
  write_deadly_trace(all / "a");
  write_deadly_trace(all / "z");
  test::RecordingSink rest;
  const auto death = read_apart(job, rest);
  ASSERT_TRUE(death) << death.error().message;
  EXPECT_EQ(*death, "");
  EXPECT_EQ(rest.state_events().size(), sink_.state_events().size());
  std::vector<std::string> losses;
  for (const trace::Loss& loss : rest.dictionary().report.losses())
    if (loss.kind.contains("cannot be read")) losses.push_back(loss.kind);
  std::ranges::sort(losses);
  EXPECT_EQ(losses, (std::vector<std::string>{
                        "a cannot be read: its reader (ctf) stopped: Aborted",
                        "z cannot be read: its reader (ctf) stopped: Aborted",
                    }));
  fs::remove_all(all / "kernel");
  const auto nothing = read_apart(job, rest);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().message, "holds no CTF trace that can be read");
}

// A recording's traces are read together: which one is deadly is known once each was tried.
TEST_F(ReaderProcess, OfARecordingIsStartedAnewToTryEachPart) {
  const fs::path said = folder_.path() / "said", touched = folder_.path() / "touched";
  const fs::path program = reader_that(
      "case \"$*\" in *--\\ b) cat " + said.string() + " >&3;; *--*) cat " + touched.string() +
      "1 >&3; kill -ABRT $$;; *) cat " + touched.string() + "2 >&3; kill -ABRT $$;; esac");
  for (const auto& [file, names] :
       std::map<std::string, std::vector<std::string>>{{"1", {"b"}}, {"2", {"a", "b"}}}) {
    const int fd =
        ::open((touched.string() + file).c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    trace::WireWriter(fd).touch(names);
    ::close(fd);
  }
  const auto death = read_apart(job(program), sink_);
  ASSERT_TRUE(death) << death.error().message;
  EXPECT_EQ(sink_.state_events().size(), 1u);
  ASSERT_EQ(sink_.dictionary().report.losses().size(), 1u);
  EXPECT_EQ(sink_.dictionary().report.losses()[0].kind,
            "b cannot be read: its reader (chrome-json) stopped: Aborted");
}

TEST_F(ReaderProcess, OfAnotherVersionReadsNothing) {
  const auto program = reader_program();
  ASSERT_TRUE(program);
  const auto said = ask_reader(*program, {"0.0.0", "chrome-json", "", "67108864", "/dev/null"});
  ASSERT_TRUE(said) << said.error().message;
  trace::WirePlayer player(sink_);
  ASSERT_TRUE(player.take(std::as_bytes(std::span(*said))));
  ASSERT_TRUE(player.ended());
  ASSERT_FALSE(*player.ended());
  EXPECT_EQ(player.ended()->error().message,
            "weftscope is of version 0.0.0, its weftscope-reader of " WEFT_VERSION
            ": install both anew");
}

TEST(Sandbox, RefusesWhatAReaderDoesNotNeed) {
  const testing::ScratchFolder scratch, elsewhere;
  const fs::path victim = elsewhere.path() / "victim";
  std::ofstream(victim) << "here";
  const auto in_sandbox = [&](const auto& is_refused, Purpose purpose = Purpose::kReading) {
    if (!enter_sandbox(scratch.path(), purpose)) ::_exit(2);
    ::_exit(is_refused() && (errno == EPERM || errno == EACCES) ? 0 : 1);
  };
  if (const pid_t child = ::fork(); child == 0) {
    ::_exit(enter_sandbox(scratch.path()) ? 0 : 1);
  } else if (int status = 1; ::waitpid(child, &status, 0) != child || status != 0) {
    GTEST_SKIP() << "the kernel takes no filter of system calls";
  }
  const auto stays = ::testing::ExitedWithCode(0);
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(in_sandbox([] { return ::socket(AF_INET, SOCK_STREAM, 0) < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([] { return ::execl("/bin/true", "true", nullptr) < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([&] { return ::open(victim.c_str(), O_WRONLY) < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([] { return ::open("/tmp/weftscope-x", O_CREAT, 0600) < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([&] { return ::unlink(victim.c_str()) < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([&] { return ::open(victim.c_str(), O_RDONLY | O_TRUNC) < 0; }), stays,
              "");
  EXPECT_EXIT(in_sandbox([&] { return ::truncate(victim.c_str(), 1) < 0; }), stays, "");
  const std::string link = scratch.path() / "link";
  EXPECT_EXIT(
      in_sandbox([&] { return ::symlink(victim.c_str(), link.c_str()) < 0; }, Purpose::kUnpacking),
      stays, "");
  EXPECT_EXIT(in_sandbox([] { return ::kill(::getppid(), SIGTERM) < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([] { return ::sigqueue(::getppid(), SIGTERM, {}) < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([] { return ::tgkill(::getppid(), ::getppid(), 0) < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([] { return ::fork() < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([] { return ::ioctl(STDIN_FILENO, TIOCSTI, "x") < 0; }), stays, "");
  EXPECT_EXIT(in_sandbox([] {
                std::thread([] { errno = 0; }).join();  // threads it may start
                errno = EPERM;
                return true;
              }),
              stays, "");
  EXPECT_EXIT(in_sandbox([&] {
                const fs::path own = scratch.path() / "own";
                for (int i = 0; i < 2; ++i) std::ofstream(own) << "new";  // files of its own
                return fs::file_size(own) == 3 && ::truncate(own.c_str(), 0) < 0;
              }),
              stays, "");
  EXPECT_EXIT(in_sandbox([] {
                const int fd = ::open("/dev/null", O_RDONLY);  // this it may
                errno = EPERM;
                return fd >= 0;
              }),
              stays, "");
}

}  // namespace
}  // namespace weft::app
