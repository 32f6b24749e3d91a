// A flight recorder: of what comes through a pipe the newest is kept, and an event ends the
// reading. covers B-23 C-14
#include "app/opening/recorder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "app/opening/open.h"
#include "app/session/commands.h"
#include "app/session/session.h"
#include "tests/app/sample_trace.h"
#include "tests/core/base/eventually.h"
#include "tests/core/io/live_pipe.h"

namespace weft::app {
namespace {

using ::testing::HasSubstr;

Recording recording(std::string last, std::string trigger = {}, std::string after = {}) {
  Recording made;
  made.keep.last = std::move(last);
  made.trigger = std::move(trigger);
  made.after = std::move(after);
  return made;
}

TEST(Recording, WhatIsKeptIsATimeOrASize) {
  store::Keep keep;
  EXPECT_TRUE(set_kept(keep, "30s"));
  EXPECT_TRUE(set_kept(keep, "500MB"));
  EXPECT_EQ(keep.last, "30s");
  EXPECT_EQ(keep.bytes, uint64_t{500} << 20);
  EXPECT_TRUE(set_kept(keep, "5min"));
  EXPECT_EQ(keep.last, "5min");
  for (const char* wrong : {"", "5m", "0", "0s", "-3s", "1k", "soon", "nan"}) {
    store::Keep none;
    EXPECT_FALSE(set_kept(none, wrong)) << wrong;
    EXPECT_EQ(none, store::Keep()) << wrong;
  }
}

TEST(Recording, AnExpressionIsWrongAtAColumn) {
  const auto said = [](std::string trigger, std::string after = {}) {
    const Status status = check(recording("", std::move(trigger), std::move(after)));
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(said("dur > 5ms && type =~ /irq/i"), "");
  EXPECT_EQ(said("params.size >= 1k || latency > 2ms", "1.5s"), "");
  EXPECT_EQ(said("  "), "");
  EXPECT_THAT(said("dur >"), HasSubstr("trigger: column 6"));
  EXPECT_THAT(said("type == a && no.such == 1"), HasSubstr("trigger: column"));
  EXPECT_THAT(said("type =~ /(/"), HasSubstr("trigger: column"));
  EXPECT_THAT(said("type == a && answer == \"\""), HasSubstr("column 14: 'answer' is not known"));
  EXPECT_THAT(said("!(depth == 2)"), HasSubstr("column 3"));
  EXPECT_THAT(said("type == a", "soon"), HasSubstr("after: "));
  EXPECT_THAT(said("", "2s"), HasSubstr("after: it needs a trigger"));
}

class RecorderTest : public ::testing::Test {
 protected:
  std::unique_ptr<Opening> open(Recording recording, bool is_watched = true) {
    OpenOptions options;
    options.use_cache = false;
    options.is_watched = is_watched;
    options.recording = std::move(recording);
    return Opening::start(pipe_.path(), std::move(options), pool_);
  }
  // A state each second of the kernel's log, half a second long; of one the name is another.
  void write(int from, int to, int special = -1) {
    std::string lines;
    for (int i = from; i < to; ++i) {
      lines += fmt::format("  app-7  [000] ....  {}.000000: tracing_mark_write: B|7|{}\n", 100 + i,
                           i == special ? "boom" : "work");
      lines += fmt::format("  app-7  [000] ....  {}.500000: tracing_mark_write: E|7\n", 100 + i);
    }
    pipe_.write(lines);
  }
  // Reading has ended, but somebody still writes.
  void drain(std::thread& writer) {
    std::atomic<bool> is_done = false;
    std::thread reader([&] {
      const io::FileDescriptor pipe(
          ::open(pipe_.path().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
      std::array<char, 4096> bytes{};
      while (!is_done) {
        if (::read(pipe.get(), bytes.data(), bytes.size()) <= 0)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    writer.join();
    is_done = true;
    reader.join();
  }
  static uint64_t dropped(const store::Trace& trace) {
    for (const trace::Loss& loss : trace.dictionary().report.losses()) {
      if (loss.kind == "event older than what is kept") return loss.count;
    }
    return 0;
  }
  static int64_t second_of(Time time, const store::Trace& trace) {
    return time.ticks / ticks_per_second(trace.dictionary().time_base) - 100;
  }

  testing::ScratchFolder folder_;
  test::LivePipe pipe_{folder_.path() / "pipe"};
  ThreadPool pool_{2};
};

class Watched : public RecorderTest, public ::testing::WithParamInterface<bool> {};

TEST_P(Watched, TheNewestIsKeptAndTheRestIsTold) {
  const auto opening = open(recording("1000s"), GetParam());
  write(0, 20'000);
  pipe_.close();
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  const uint64_t kept = (*trace)->counts().total();
  EXPECT_GE(kept, 1000u);
  EXPECT_LT(kept, 1000u + 250 + 1024);
  EXPECT_EQ(kept + dropped(**trace), 20'000u);
  EXPECT_FALSE((*trace)->dictionary().report.has_damage());
}

INSTANTIATE_TEST_SUITE_P(RecorderTest, Watched, ::testing::Bool());

TEST_F(RecorderTest, WhatIsKeptChangesWhileItComes) {
  const auto opening = open(Recording());
  write(0, 5'000);
  EXPECT_TRUE(test::eventually(
      [&] { return opening->trace() && opening->trace()->counts().total() == 5'000; }));
  const auto early = opening->trace();
  opening->record(recording("100s"));
  EXPECT_EQ(opening->recording().keep.last, "100s");
  write(5'000, 20'000);
  EXPECT_TRUE(test::eventually([&] { return dropped(*opening->trace()) > 10'000; }));
  EXPECT_EQ(early->counts().total(), 5'000u);
  opening->cancel();
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_LT((*trace)->counts().total(), 5'000u);
  EXPECT_GT(dropped(**trace), 0u);
}

TEST_F(RecorderTest, AnEventEndsTheReadingSomeTimeLater) {
  const auto opening = open(recording("2000s", "boom", "1500s"));
  std::thread writer([this] { write(0, 30'000, 15'000); });
  const auto trace = opening->wait();
  drain(writer);
  ASSERT_TRUE(trace) << trace.error().message;
  const auto hit = opening->hit();
  ASSERT_TRUE(hit);
  EXPECT_EQ((*trace)->dictionary().type(hit->element.type).name, "boom");
  EXPECT_EQ(second_of(hit->element.begin, **trace), 15'000);
  EXPECT_GT(hit->time, hit->element.begin);
  const int64_t first = second_of((*trace)->range().begin, **trace);
  const int64_t last = second_of((*trace)->range().end, **trace);
  EXPECT_LE(first, 13'000);
  EXPECT_GE(first, 15'000 - 2'500 - 2 * 1024 - 4096);
  EXPECT_GE(last, 16'500);
  EXPECT_LE(last, 16'500 + 2 * 4096);
  EXPECT_EQ((*trace)->dictionary().metadata.at("trigger"), "boom");
  EXPECT_THAT(in_words(*hit, **trace), HasSubstr("boom on "));
}

// Nothing comes any more: wall-clock time counts.
TEST_F(RecorderTest, AnEventEndsTheReadingWhereNothingFollows) {
  const auto opening = open(recording("", "dur > 400ms && type == boom", "200ms"));
  write(0, 10, 9);
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), 10u);
  ASSERT_TRUE(opening->hit());
  EXPECT_EQ(second_of(opening->hit()->element.begin, **trace), 9);
}

TEST_F(RecorderTest, WithoutTheEventReadingGoesOn) {
  const auto opening = open(recording("", "dur > 1s"), /*is_watched=*/false);
  write(0, 6'000);
  pipe_.close();
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_FALSE(opening->hit());
  EXPECT_EQ((*trace)->counts().total(), 6'000u);
}

TEST_F(RecorderTest, TheEventIsMarkedAndSelectedAndTheViewStays) {
  Session session;
  session.traces.push_back(std::make_unique<OpenTrace>(open(Recording())));
  OpenTrace& trace = *session.traces.front();
  const auto comes = [&](auto done) {
    return test::eventually([&] {
      session.refresh();
      return done();
    });
  };
  write(0, 10);
  ASSERT_TRUE(comes([&] { return trace.trace() && trace.trace()->counts().total() == 10; }));
  const auto run = [&](const char* name, Json args = Json::object()) {
    return apply_command(session, {name, std::move(args), 0});
  };
  EXPECT_TRUE(run("view.zoom", {{"factor", 4}}));
  const View before = trace.view();
  EXPECT_FALSE(run("live.keep", {{"last", "soon"}}));
  EXPECT_FALSE(run("live.keep", {{"last", "30MB"}}));
  EXPECT_TRUE(run("live.keep", {{"last", "50s"}, {"size", "30MB"}}));
  EXPECT_FALSE(run("live.trigger", {{"where", "type =="}}));
  EXPECT_TRUE(run("live.trigger", {{"where", "boom"}, {"after", "2s"}}));
  const Recording recording = trace.opening()->recording();
  EXPECT_EQ(recording.keep.last, "50s");
  EXPECT_EQ(recording.keep.bytes, uint64_t{30} << 20);
  EXPECT_EQ(recording.trigger, "boom");
  EXPECT_EQ(recording.after, "2s");
  write(10, 20, 12);
  ASSERT_TRUE(comes([&] { return trace.opening()->is_done() && trace.trace()->is_complete(); }));
  EXPECT_EQ(trace.view(), before);
  ASSERT_EQ(trace.markers.all().size(), 1u);
  EXPECT_EQ(trace.markers.all().front().name, "boom");
  ASSERT_TRUE(trace.element());
  EXPECT_EQ(trace.trace()->dictionary().type(trace.element()->type).name, "boom");
  EXPECT_THAT(session.messages.last.text, HasSubstr("trigger: boom on "));
  EXPECT_FALSE(run("live.hold"));
}

TEST_F(RecorderTest, HeldItKeepsWhatIsThere) {
  Session session;
  session.traces.push_back(std::make_unique<OpenTrace>(open(Recording())));
  OpenTrace& trace = *session.traces.front();
  write(0, 10);
  ASSERT_TRUE(test::eventually([&] {
    session.refresh();
    return trace.trace() && trace.trace()->counts().total() == 10;
  }));
  EXPECT_TRUE(apply_command(session, {"live.hold"}));
  EXPECT_THAT(session.messages.last.text, HasSubstr("reading has ended: 9.5 s"));
  const auto held = trace.opening()->wait();
  ASSERT_TRUE(held);
  EXPECT_EQ((*held)->counts().total(), 10u);
}

}  // namespace
}  // namespace weft::app
