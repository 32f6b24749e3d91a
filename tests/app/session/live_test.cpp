// A trace from a pipe is shown before the pipe has ended. covers B-22 C-13
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include "app/opening/open.h"
#include "app/session/commands.h"
#include "app/session/session.h"
#include "app/window/chrome.h"
#include "tests/app/sample_trace.h"
#include "tests/core/base/eventually.h"
#include "tests/core/io/live_pipe.h"

namespace weft::app {
namespace {

using testing::events_of;
using testing::marks;

class Live : public ::testing::Test {
 protected:
  std::unique_ptr<Opening> open(const std::filesystem::path& path,
                                std::vector<std::filesystem::path> also = {}) {
    OpenOptions options;
    options.also = std::move(also);
    options.use_cache = false;
    options.is_watched = true;
    options.wake = [this] { ++wakes_; };
    return Opening::start(path, std::move(options), pool_);
  }

  testing::ScratchFolder folder_;
  test::LivePipe pipe_{folder_.path() / "pipe"};
  std::atomic<int> wakes_ = 0;
  ThreadPool pool_{2};
};

TEST_F(Live, WhatHasComeIsShown) {
  const auto opening = open(pipe_.path());
  EXPECT_EQ(opening->trace(), nullptr);
  pipe_.write(marks(0, 4));
  EXPECT_TRUE(test::eventually([&] { return events_of(*opening) == 2; }));
  EXPECT_TRUE(opening->is_live());
  EXPECT_EQ(opening->format(), "ftrace");
  const int wakes = wakes_;
  pipe_.write(marks(4, 6));
  EXPECT_TRUE(test::eventually([&] { return events_of(*opening) == 3; }));
  EXPECT_GT(wakes_, wakes);
  EXPECT_EQ(opening->bytes_done(), marks(0, 6).size());
  pipe_.close();
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), 3u);
}

TEST_F(Live, WhatDoesNotSayYetWhatItIsIsAwaited) {
  pipe_.write("Connecting to the board\n");
  const auto opening = open(pipe_.path());
  EXPECT_TRUE(test::eventually([&] { return opening->is_live(); }));
  pipe_.write(marks(0, 4));
  EXPECT_TRUE(test::eventually([&] { return events_of(*opening) == 2; }));
}

// An event at a time, without a pause in which nothing comes: what waits for its order is given.
TEST_F(Live, WhatTricklesIsShown) {
  const auto event = [](int i) {
    return fmt::format("{}{{\"name\":\"a\",\"ph\":\"X\",\"ts\":{},\"dur\":5,\"pid\":1,\"tid\":1}}",
                       i == 0 ? "[" : ",\n", 10 * i);
  };
  pipe_.write(event(0));
  const auto opening = open(pipe_.path());
  std::jthread writer([&](const std::stop_token& stop) {
    for (int i = 1; !stop.stop_requested(); ++i) {
      pipe_.write(event(i));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  EXPECT_TRUE(test::eventually([&] { return events_of(*opening) >= 20; }));
  const uint64_t before = events_of(*opening);
  EXPECT_TRUE(test::eventually([&] { return events_of(*opening) > before; }));
}

TEST_F(Live, WhatIsStoppedIsKept) {
  const auto opening = open(pipe_.path());
  pipe_.write(marks(0, 4));
  EXPECT_TRUE(test::eventually([&] { return events_of(*opening) == 2; }));
  opening->cancel();
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), 2u);
  EXPECT_TRUE((*trace)->is_complete());
}

// The thread that shows what has come is held up meanwhile.
TEST_F(Live, ThatItIsBeingStoppedIsSaidAtOnceAndNotOfferedAgain) {
  std::mutex gate;
  std::atomic<bool> may_wait = false, waits = false;
  OpenOptions options;
  options.use_cache = false;
  options.is_watched = true;
  options.wake = [&] {
    if (!may_wait) return;
    waits = true;
    const std::lock_guard pass(gate);
  };
  Session session;
  session.traces.push_back(
      std::make_unique<OpenTrace>(Opening::start(pipe_.path(), std::move(options), pool_)));
  Opening& opening = *session.trace()->opening();
  pipe_.write(marks(0, 4));
  EXPECT_TRUE(test::eventually([&] { return events_of(opening) == 2; }));
  EXPECT_EQ(end_of_loading(opening), "");
  {
    const std::lock_guard hold(gate);
    may_wait = true;
    pipe_.write(marks(4, 6));
    EXPECT_TRUE(test::eventually([&] { return waits.load(); }));
    EXPECT_TRUE(apply_command(session, {"load.cancel"}));
    EXPECT_EQ(end_of_loading(opening), "Stopping…");
    const Status again = apply_command(session, {"load.cancel"});
    EXPECT_THAT(again ? "" : again.error().message,
                ::testing::HasSubstr("it is being stopped already"));
  }
  EXPECT_TRUE(opening.wait());
  EXPECT_EQ(end_of_loading(opening), "");
}

// The pool that merges is held up meanwhile.
TEST_F(Live, ThatAllIsReadAndPutInOrderIsSaid) {
  std::mutex gate;
  ThreadPool pool(1);
  OpenOptions options;
  options.use_cache = false;
  options.is_watched = true;
  const auto opening = Opening::start(pipe_.path(), std::move(options), pool);
  pipe_.write(marks(0, 4));
  EXPECT_TRUE(test::eventually([&] { return events_of(*opening) == 2; }));
  {
    const std::lock_guard hold(gate);
    std::atomic<bool> waits = false;
    pool.submit([&] {
      waits = true;
      const std::lock_guard pass(gate);
    });
    EXPECT_TRUE(test::eventually([&] { return waits.load(); }));
    pipe_.write(marks(4, 6));
    pipe_.close();
    EXPECT_TRUE(test::eventually([&] { return end_of_loading(*opening) == "Putting in order…"; }));
    EXPECT_FALSE(opening->is_done());
  }
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), 3u);
  EXPECT_EQ(end_of_loading(*opening), "");
}

TEST_F(Live, WhatStillComesJoinsAFileThatIsThere) {
  const auto file = folder_.path() / "first.systrace";
  std::ofstream(file) << marks(0, 4);
  pipe_.write(marks(4, 8));
  const auto opening = open(file, {pipe_.path()});
  EXPECT_TRUE(test::eventually([&] { return events_of(*opening) == 4; }));
  pipe_.write(marks(8, 10));
  EXPECT_TRUE(test::eventually([&] { return events_of(*opening) == 5; }));
  pipe_.close();
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
}

TEST_F(Live, APipeInWhichNothingComesCanBeLeft) {
  const auto opening = open(pipe_.path());
  EXPECT_TRUE(test::eventually([&] { return opening->is_live(); }));
  opening->cancel();
  const auto trace = opening->wait();
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().message, ::testing::HasSubstr("stopped before"));
}

TEST_F(Live, TheViewFollowsTheEndUntilItIsMoved) {
  Session session;
  session.traces.push_back(std::make_unique<OpenTrace>(open(pipe_.path())));
  OpenTrace& trace = *session.traces.front();
  const auto run = [&](const char* name, Json args = Json::object()) {
    const Status status = apply_command(session, {name, std::move(args), 0});
    EXPECT_TRUE(status) << name << ": " << status.error().message;
  };
  const auto comes = [&](int from, int to) {
    pipe_.write(marks(from, to));
    const auto has_come = [&] {
      session.refresh();
      return trace.trace() && trace.trace()->counts().total() == static_cast<uint64_t>(to / 2);
    };
    EXPECT_TRUE(test::eventually(has_come));
  };
  comes(0, 10);
  EXPECT_TRUE(trace.is_live());
  EXPECT_TRUE(trace.shows_all());
  comes(10, 20);
  EXPECT_TRUE(trace.shows_all());

  run("view.zoom", {{"factor", 4}});
  const View before = trace.view();
  comes(20, 30);
  EXPECT_EQ(trace.view(), before);

  run("view.end");
  const auto expect_at_end = [&] {
    EXPECT_NEAR(trace.view().window.fraction_from_time(trace.reach().end), 1, 1e-6);
  };
  const double length = trace.view().window.length;
  EXPECT_EQ(length, before.window.length);
  expect_at_end();
  comes(30, 40);
  expect_at_end();
  EXPECT_EQ(trace.view().window.length, length);

  run("view.zoom", {{"factor", 2}, {"at", trace.reach().begin.ticks}});
  EXPECT_NEAR(trace.view().window.length, length / 2, 1);
  comes(40, 50);
  expect_at_end();

  run("view.end", {{"follow", false}});
  const View stays = trace.view();
  comes(50, 60);
  EXPECT_EQ(trace.view(), stays);
}

// Readers hold back little until more comes: open states, for example.
class LiveFormat : public Live, public ::testing::WithParamInterface<const char*> {};

TEST_P(LiveFormat, IsShownBeforeItEnds) {
  const auto path = std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats" / GetParam();
  const auto whole = open(path)->wait();
  ASSERT_TRUE(whole) << whole.error().message;
  const auto opening = open(pipe_.path());
  pipe_.write(test::content_of(path));
  const uint64_t all = (*whole)->counts().total();
  EXPECT_TRUE(test::eventually([&] { return 4 * events_of(*opening) >= 3 * all; }))
      << events_of(*opening) << " events of " << all;
  EXPECT_FALSE(opening->is_done());
}

INSTANTIATE_TEST_SUITE_P(
    All, LiveFormat,
    ::testing::Values("btf/succeed/autosar.btf", "chrome_json/succeed/asynchronous.json",
                      "csv/succeed/tracerpt.csv", "dlt/succeed/everything.dlt",
                      "erlang/succeed/port.trc", "ftrace/succeed/binder.ftrace",
                      "gstreamer/succeed/plain.log", "journal/succeed/lines.json",
                      "jvm_log/succeed/cms.log", "logcat/succeed/threads.logcat",
                      "paje/succeed/everything.paje", "paraver/succeed/nested.prv",
                      "pcap/succeed/without_hosts.pcapng", "perf_script/succeed/branches.perf",
                      "perfetto/succeed/displaced.pftrace", "spall/succeed/version_3.spall",
                      "strace/succeed/time_of_day.strace", "syslog/succeed/short.syslog",
                      "tool_output/succeed/tcpdump.log", "vcd/succeed/everything.vcd",
                      "xdebug/succeed/for_people.xt"),
    [](const auto& info) {
      return std::filesystem::path(info.param).parent_path().parent_path().string();
    });

}  // namespace
}  // namespace weft::app
