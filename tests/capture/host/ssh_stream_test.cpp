// Data from another machine: all of it, exactly once, or a report that something is missing. covers
// B-22 B-24 C-25
#include "capture/host/ssh_stream.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <thread>

#include "core/io/open_pipe.h"
#include "tests/capture/host/ssh_server.h"
#include "tests/core/base/eventually.h"
#include "tests/core/io/live_pipe.h"

namespace weft::capture {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using test::eventually;
using ::testing::HasSubstr;

// Reads a feed to its end on a thread of its own.
class Collected {
 public:
  explicit Collected(Feed& feed, milliseconds between_blocks = {})
      : feed_(feed),
        pipe_(feed.take_pipe()),
        thread_([this, between_blocks] { run(between_blocks); }) {}
  ~Collected() {
    feed_.cancel();
    thread_.join();
  }

  std::string bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  size_t size() const {
    const std::lock_guard lock(mutex_);
    return bytes_.size();
  }
  bool is_ended() const { return is_ended_; }

 private:
  void run(milliseconds between_blocks) {
    std::string block(256 << 10, '\0');
    for (;;) {
      const ssize_t n = ::read(pipe_.get(), block.data(), block.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      std::this_thread::sleep_for(between_blocks);
      const std::lock_guard lock(mutex_);
      bytes_.append(block, 0, static_cast<size_t>(n));
    }
    is_ended_ = true;
  }

  Feed& feed_;
  io::FileDescriptor pipe_;
  mutable std::mutex mutex_;
  std::string bytes_;
  std::atomic<bool> is_ended_ = false;
  std::thread thread_;
};

std::string random_bytes(size_t size) {
  std::mt19937 random(5);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

std::string numbered_lines(int from, int to) {
  std::string lines;
  for (int i = from; i < to; ++i) lines += fmt::format("{} some line of a trace\n", i);
  return lines;
}

class SshStream : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::SshServer::is_installed()) GTEST_SKIP() << test::SshServer::kMissing;
    ::unsetenv("SSH_AUTH_SOCK");
    server_ = std::make_unique<test::SshServer>(folder_);
    options_.way = server_->way(server_->known_hosts_line());
    options_.lost_after = std::chrono::hours(1);  // however busy the machine is
    options_.pause = milliseconds(10);
  }

  std::unique_ptr<Feed> open(const std::string& path) const {
    auto feed = open_ssh(server_->address_of(path), options_, nullptr);
    EXPECT_TRUE(feed) << feed.error().message;
    return std::move(*feed);
  }
  // The problem that it reports before it begins; empty: it begins.
  static std::string problem_of(Feed& feed) {
    const Status begun = feed.wait_for_beginning({});
    return begun ? "" : begun.error().message;
  }
  static bool reaches(const Feed& feed, FeedPhase phase) {
    return eventually([&] { return feed.state().phase == phase; });
  }
  void append(const fs::path& file, std::string_view bytes) const {
    std::ofstream(file, std::ios::binary | std::ios::app) << bytes;
  }

  test::ScratchFolder folder_;
  std::unique_ptr<test::SshServer> server_;
  SshStreamOptions options_;
};

TEST_F(SshStream, AFileComesByteForByte) {
  const std::string bytes = random_bytes(5'000'000);
  const auto feed = open(folder_.write("a file", bytes));
  ASSERT_EQ(problem_of(*feed), "");
  EXPECT_EQ(feed->state().bytes_total, bytes.size());
  const Collected collected(*feed);
  ASSERT_TRUE(eventually([&] { return collected.is_ended(); }));
  EXPECT_TRUE(collected.bytes() == bytes);
  EXPECT_TRUE(feed->status());
  EXPECT_TRUE(reaches(*feed, FeedPhase::kEnded));
  EXPECT_EQ(feed->state().bytes, bytes.size());
}

TEST_F(SshStream, APathIsCountedFromTheHomeFolder) {
  const fs::path file = folder_.write("trace", "hello");
  const char* const home = std::getenv("HOME");
  if (home == nullptr) GTEST_SKIP() << "there is no home folder";
  const auto feed = open("./" + file.lexically_relative(home).string());
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed);
  ASSERT_TRUE(eventually([&] { return collected.is_ended(); }));
  EXPECT_EQ(collected.bytes(), "hello");
}

TEST_F(SshStream, WhatIsNotThereIsSaidAsTheOtherSideSaysIt) {
  EXPECT_EQ(problem_of(*open(folder_ / "missing")), "No such file or directory");
  EXPECT_THAT(problem_of(*open(folder_.write("file", "x").string() + "/x")),
              HasSubstr("Not a directory"));
}

TEST_F(SshStream, AnEmptyFileIsEmpty) {
  const auto feed = open(folder_.write("empty", ""));
  ASSERT_EQ(problem_of(*feed), "");
  const auto source = io::open_pipe(feed->take_pipe(), 0);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().message, "file is empty");
}

TEST_F(SshStream, AFolderComesWithItsFiles) {
  fs::create_directories(folder_ / "run/cpu");
  (void)folder_.write("run/a.txt", "first");
  (void)folder_.write("run/cpu/b.txt", "second");
  const auto feed = open(folder_ / "run");
  ASSERT_EQ(problem_of(*feed), "");
  const auto source = io::open_pipe(feed->take_pipe(), 0);
  ASSERT_TRUE(source) << source.error().message;
  ASSERT_TRUE((*source)->is_folder());
  ASSERT_EQ((*source)->files().size(), 2u);
  const auto file = (*source)->open_file("cpu/b.txt");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ((*file)->peek(100)->size(), 6u);
}

TEST_F(SshStream, APipeIsLiveUntilItsWriterGoes) {
  test::LivePipe pipe(folder_ / "pipe");
  const auto feed = open(pipe.path());
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed);
  pipe.write("one");
  EXPECT_TRUE(eventually([&] { return collected.bytes() == "one"; }));
  pipe.write("two");
  EXPECT_TRUE(eventually([&] { return collected.bytes() == "onetwo"; }));
  EXPECT_EQ(feed->state().bytes_total, 0u);
  pipe.close();
  EXPECT_TRUE(eventually([&] { return collected.is_ended(); }));
  EXPECT_TRUE(feed->status());
}

TEST_F(SshStream, AFileThatGrowsIsFollowedThroughLostConnections) {
  options_.follows = true;
  constexpr int kCuts = 100, kLines = 100;
  const fs::path file = folder_.write("growing", numbered_lines(0, kLines));
  const auto feed = open(file);
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed);
  std::string all = test::content_of(file);
  for (int cut = 1; cut <= kCuts; ++cut) {
    ASSERT_TRUE(eventually([&] { return collected.size() == all.size(); })) << cut;
    server_->signal_connections(SIGKILL);
    ASSERT_TRUE(
        eventually([&] { return feed->state().reconnections >= static_cast<unsigned>(cut); }));
    const std::string more = numbered_lines(cut * kLines, (cut + 1) * kLines);
    append(file, more);
    all += more;
  }
  EXPECT_TRUE(eventually([&] { return collected.size() >= all.size(); }));
  EXPECT_TRUE(reaches(*feed, FeedPhase::kLive));
  feed->cancel();
  EXPECT_TRUE(eventually([&] { return collected.is_ended(); }));
  EXPECT_TRUE(collected.bytes() == all);
  EXPECT_TRUE(feed->status());
}

TEST_F(SshStream, AHostThatDoesNotAnswerYetIsTriedAgain) {
  server_->stop();
  options_.pause = milliseconds(100);
  const auto asker = std::make_shared<test::ScriptedAsker>();
  auto feed = open_ssh(server_->address_of(folder_.write("file", "hello")), options_, asker);
  ASSERT_TRUE(feed);
  ASSERT_TRUE(eventually([&] { return !(*feed)->state().problem.empty(); }));
  EXPECT_THAT((*feed)->state().problem, HasSubstr("no connection: "));
  EXPECT_EQ((*feed)->state().phase, FeedPhase::kConnecting);
  server_->start_again();
  ASSERT_EQ(problem_of(**feed), "");
  const Collected collected(**feed);
  ASSERT_TRUE(eventually([&] { return collected.is_ended(); }));
  EXPECT_EQ(collected.bytes(), "hello");
  EXPECT_EQ((*feed)->state().problem, "");
  EXPECT_EQ((*feed)->state().reconnections, 0u);
  ASSERT_EQ(asker->news.size(), 1u);
  EXPECT_THAT(asker->news[0], HasSubstr("; trying again"));
}

TEST_F(SshStream, AHostThatNeverAnswersIsGivenUpAndOneThatRefusesAtOnce) {
  server_->stop();
  const auto begun = std::chrono::steady_clock::now();
  options_.pause = milliseconds(1);
  EXPECT_THAT(problem_of(*open("/file")), HasSubstr("no connection: "));
  const auto cancelled = open("/file");
  cancelled->cancel();
  EXPECT_TRUE(reaches(*cancelled, FeedPhase::kEnded));
  server_->start_again();
  options_.pause = std::chrono::hours(1);  // to each try
  (void)server_->way("# nobody\n");
  EXPECT_THAT(problem_of(*open("/file")), HasSubstr("there is nobody to ask"));
  (void)server_->way(server_->known_hosts_line());
  options_.way.key = folder_ / "no_key";
  EXPECT_THAT(problem_of(*open("/file")), HasSubstr("there is nobody to ask"));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::minutes(5));
}

TEST_F(SshStream, AFileGoesOnAtItsByteWhereTheConnectionWasLost) {
  const std::string bytes = random_bytes(12'000'000);
  const auto feed = open(folder_.write("large", bytes));
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed, milliseconds(20));
  ASSERT_TRUE(eventually([&] { return collected.size() > 1'000'000; }));
  server_->signal_connections(SIGKILL);
  ASSERT_TRUE(eventually([&] { return collected.is_ended(); }));
  EXPECT_TRUE(collected.bytes() == bytes);
  EXPECT_TRUE(feed->status());
  EXPECT_GE(feed->state().reconnections, 1u);
}

TEST_F(SshStream, AnotherFileOfTheNameIsNotTakenForTheRest) {
  options_.follows = true;
  const fs::path file = folder_.write("log", "first line\n");
  const auto feed = open(file);
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed);
  ASSERT_TRUE(eventually([&] { return collected.size() == 11; }));
  fs::rename(folder_.write("other", "a longer text of another file\n"), file);
  server_->signal_connections(SIGKILL);
  ASSERT_TRUE(eventually([&] { return collected.is_ended(); }));
  EXPECT_EQ(collected.bytes(), "first line\n");
  ASSERT_FALSE(feed->status());
  EXPECT_THAT(feed->status().error().message, HasSubstr("is another one"));
}

TEST_F(SshStream, APipeThatIsLostIsSaidToBe) {
  test::LivePipe pipe(folder_ / "pipe");
  const auto feed = open(pipe.path());
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed);
  pipe.write("one");
  ASSERT_TRUE(eventually([&] { return collected.size() == 3; }));
  server_->signal_connections(SIGKILL);
  ASSERT_TRUE(eventually([&] { return collected.is_ended(); }));
  ASSERT_FALSE(feed->status());
  EXPECT_EQ(feed->status().error().message, "the connection was lost");
  EXPECT_EQ(feed->state().phase, FeedPhase::kLost);
}

TEST_F(SshStream, APeerThatStandsStillIsStalledAndGoesOn) {
  options_.follows = true;
  const fs::path file = folder_.write("growing", "one\n");
  const auto feed = open(file);
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed);
  ASSERT_TRUE(eventually([&] { return collected.size() == 4; }));
  server_->signal_connections(SIGSTOP);
  EXPECT_TRUE(reaches(*feed, FeedPhase::kStalled));
  append(file, "two\n");
  server_->signal_connections(SIGCONT);
  EXPECT_TRUE(eventually([&] { return collected.size() == 8; }));
  EXPECT_TRUE(reaches(*feed, FeedPhase::kLive));
  EXPECT_EQ(feed->state().reconnections, 0u);
}

TEST_F(SshStream, APeerThatStaysStillIsLeftForANewConnection) {
  options_.follows = true;
  options_.lost_after = SshStreamOptions().lost_after;
  const fs::path file = folder_.write("growing", "one\n");
  const auto feed = open(file);
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed);
  ASSERT_TRUE(eventually([&] { return collected.size() == 4; }));
  server_->signal_connections(SIGSTOP);
  append(file, "two\n");
  EXPECT_TRUE(eventually([&] { return collected.size() == 8; }));
  EXPECT_GE(feed->state().reconnections, 1u);
  EXPECT_EQ(collected.bytes(), "one\ntwo\n");
  server_->signal_connections(SIGCONT);
}

TEST_F(SshStream, EndsWhenItIsCancelledAndLeavesNobodyThere) {
  options_.follows = true;
  const auto feed = open(folder_.write("growing", "one\n"));
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed);
  ASSERT_TRUE(eventually([&] { return collected.size() == 4; }));
  feed->cancel();
  EXPECT_TRUE(eventually([&] { return collected.is_ended(); }));
  EXPECT_TRUE(reaches(*feed, FeedPhase::kEnded));
  EXPECT_TRUE(eventually([&] { return server_->connections() == 0; }));
}

TEST_F(SshStream, WhatLoginScriptsSayIsPassedOver) {
  // Writes something first, as a shell's start-up files may.
  const fs::path shell =
      folder_.write("noise", "echo Welcome; echo '@weftscopes of old'; exec \"$@\"\n");
  std::ofstream(folder_ / "server/authorized_keys")
      << fmt::format("command=\"sh {} sh -c \\\"$SSH_ORIGINAL_COMMAND\\\"\" {}", shell.string(),
                     test::content_of(server_->user_key() + ".pub"));
  const auto feed = open(folder_.write("file", "hello"));
  ASSERT_EQ(problem_of(*feed), "");
  const Collected collected(*feed);
  ASSERT_TRUE(eventually([&] { return collected.is_ended(); }));
  EXPECT_EQ(collected.bytes(), "hello");
}

TEST_F(SshStream, AnAccountWithoutAShellIsAnError) {
  std::ofstream(folder_ / "server/authorized_keys")
      << "command=\"echo This account is not available; exit 1\" "
      << test::content_of(server_->user_key() + ".pub");
  EXPECT_EQ(problem_of(*open(folder_.write("file", "x"))), "This account is not available");
}

}  // namespace
}  // namespace weft::capture
