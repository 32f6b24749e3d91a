// Tests who ran while a thread waited for its CPU, in schedules drawn as text.
#include "core/query/ran_instead.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "core/base/thread_pool.h"
#include "core/query/messages/causality.h"
#include "core/query/thread_states.h"
#include "core/store/builder.h"
#include "tests/core/store/random_trace.h"

namespace weft::query {
namespace {

using trace::Category;
using trace::LaneKind;

// The schedule of one machine: a letter runs for as many ticks as it is written, '.' is idle.
struct Machine {
  trace::EventSink& sink;
  LaneId root;

  LaneId cpu(int number, std::string_view runs) const {
    const LaneId lane =
        sink.add_lane({fmt::format("CPU {}", number), root, LaneKind::kCpu, number});
    draw(lane, "task", runs, R"({{"pid":{}}})");
    return lane;
  }
  // 's' sleeps, 'r' is runnable, a digit running on that CPU.
  LaneId thread(std::string_view name, std::string_view states) const {
    const LaneId lane = sink.add_lane({std::string(name), root, LaneKind::kThread, 0});
    draw(lane, "scheduler", states, R"({{"cpu":{}}})");
    return lane;
  }

 private:
  void draw(LaneId lane, std::string_view group, std::string_view drawn,
            std::string_view params) const {
    for (size_t begin = 0; begin < drawn.size();) {
      size_t end = drawn.find_first_not_of(drawn[begin], begin);
      end = std::min(end, drawn.size());
      const char letter = drawn[begin];
      const bool is_cpu = group == "task";
      // 'A' and 'a' are two threads of one name.
      const std::string name = is_cpu ? std::string(1, static_cast<char>(std::toupper(letter)))
                               : letter == 's' ? "sleeping"
                               : letter == 'r' ? "runnable"
                                               : "running";
      const int number = is_cpu ? letter : letter - '0';
      if (letter != '.') {
        sink.give(trace::StateEvent{
            .begin = {static_cast<int64_t>(begin)},
            .duration = {static_cast<int64_t>(end - begin)},
            .params = letter == 'r' || letter == 's'
                          ? ParamsId::none()
                          : sink.params(fmt::format(fmt::runtime(params), number)),
            .lane = lane,
            .type = sink.type(Category::kState, name, group)});
      }
      begin = end;
    }
  }
};

class RanInsteadTest : public ::testing::Test {
 protected:
  template <class Fill>
  void build(Fill fill) {
    ThreadPool pool(1);
    store::BuilderOptions options;
    options.path = folder_ / "t.weft";
    options.format = "test";
    auto builder = store::StoreBuilder::create(std::move(options), pool).value();
    fill(*builder);
    (void)builder->finish().value();
    trace_ = store::Trace::open(folder_ / "t.weft").value();
  }
  std::optional<RanInstead> at(LaneId lane, int64_t time) const {
    const Elements elements(trace_);
    const auto states = elements.states_at(lane, {time});
    return states.empty() ? std::nullopt : ran_instead(elements, states.back());
  }
  std::string name_of(LaneId lane) const { return trace_->dictionary().path_text(lane); }
  // "B 5/2 C 1/1": name, time and how often.
  std::string text(const RanInstead& instead) const {
    std::string text;
    for (const RanInstead::Thread& thread : instead.threads) {
      const auto& type = trace_->dictionary().type(thread.first.record.type);
      text += fmt::format("{}{} {}/{}", text.empty() ? "" : " ", type.name, thread.time.ticks,
                          thread.runs);
    }
    return text;
  }

  testing_traces::ScratchFolder folder_;
  store::TracePtr trace_;
};

TEST_F(RanInsteadTest, IsWhatTheCpuDidThatTheThreadRanOnNext) {
  LaneId waits;
  build([&](trace::EventSink& sink) {
    const Machine machine{sink, LaneId::none()};
    machine.cpu(0, "XXXXXXXXXXXXXXXXXXXX");
    machine.cpu(1, "BBBBBBBCC.BBaaAAAAWW");
    waits = machine.thread("W", "00...rrrrrrrrrrrrr11");
  });
  const auto instead = at(waits, 8);
  ASSERT_TRUE(instead);
  EXPECT_EQ(name_of(instead->cpu), "CPU 1");
  EXPECT_TRUE(instead->is_next);
  EXPECT_TRUE(instead->is_complete);
  EXPECT_EQ(text(*instead), "B 4/2 A 4/1 C 2/1 A 2/1") << "clipped to the wait, the longest first";
  EXPECT_EQ(instead->idle.ticks, 1);
  EXPECT_EQ(instead->threads[0].first.ref.begin.ticks, 0) << "what ran when the wait began";
  const Elements elements(trace_);
  EXPECT_TRUE(elements.find(instead->threads[1].first.ref));
  EXPECT_FALSE(at(waits, 0)) << "it runs";
}

TEST_F(RanInsteadTest, FollowsAWaitToItsEndWhereItIsSeveralStates) {
  LaneId waits;
  build([&](trace::EventSink& sink) {
    const Machine machine{sink, LaneId::none()};
    machine.cpu(0, "XXXXXXXX");
    machine.cpu(1, "BBBBBBWW");
    waits = machine.thread("W", "00ssrr11");
  });
  EXPECT_EQ(name_of(at(waits, 5).value().cpu), "CPU 1");
  const Elements elements(trace_);
  const auto run_after_state_at = [&](int64_t time) {
    const auto run = run_after(elements, elements.states_at(waits, {time}).front());
    return run ? run->record.begin.ticks : -1;
  };
  EXPECT_EQ(run_after_state_at(3), 6) << "asleep, and then waiting for a CPU";
  EXPECT_EQ(run_after_state_at(5), 6);
  EXPECT_EQ(run_after_state_at(1), -1) << "it runs";
  EXPECT_EQ(run_after_state_at(7), -1);
}

TEST_F(RanInsteadTest, OfAWaitWhatWokeItIsTheCause) {
  LaneId waits, wakes;
  build([&](trace::EventSink& sink) {
    const Machine machine{sink, LaneId::none()};
    waits = machine.thread("W", "00ssrr11rr");
    wakes = machine.thread("V", "1111111111");
    const EventTypeId wakeup = sink.type(Category::kLink, "wakeup");
    sink.give(trace::LinkEvent{
        .send = {4}, .receive = {6}, .source = wakes, .target = waits, .type = wakeup});
    sink.give(trace::LinkEvent{
        .send = {7}, .receive = {7}, .source = wakes, .target = waits, .type = wakeup});
  });
  const Elements elements(trace_);
  const auto causes_at = [&](int64_t time) {
    std::string causes;
    const CausalTree tree =
        Causality(elements).tree(elements.states_at(waits, {time}).front(), Causal::kCauses, 10);
    for (const CausalMessage& message : tree.messages)
      causes += fmt::format("{} ", message.ends.send.ticks);
    return causes;
  };
  EXPECT_EQ(causes_at(3), "4 ") << "asleep";
  EXPECT_EQ(causes_at(5), "4 ") << "waiting for a CPU";
  EXPECT_EQ(causes_at(6), "7 4 ") << "running: what it received";
  EXPECT_EQ(causes_at(9), "") << "it did not run again";
}

TEST_F(RanInsteadTest, IsOfTheCpuThatItWasTakenFromWhereTheTraceEnds) {
  LaneId taken, unknown;
  build([&](trace::EventSink& sink) {
    const Machine machine{sink, LaneId::none()};
    machine.cpu(0, "WWWWBBBBBB");
    taken = machine.thread("W", "0000rrrrrr");
    unknown = machine.thread("V", "..rrrrrrrr");
  });
  const auto instead = at(taken, 6);
  ASSERT_TRUE(instead);
  EXPECT_FALSE(instead->is_next);
  EXPECT_EQ(text(*instead), "B 6/1");
  EXPECT_EQ(instead->idle.ticks, 0);
  EXPECT_FALSE(at(unknown, 6)) << "nobody says which CPU";
}

TEST_F(RanInsteadTest, TellsThreadsOfOneNameApartByTheirLanes) {
  LaneId waits;
  build([&](trace::EventSink& sink) {
    const Machine machine{sink, LaneId::none()};
    machine.cpu(0, "AAAaaBCCW");
    machine.thread("A-65", ".........");
    machine.thread("A (97)", ".........");
    machine.thread("B-65", ".........");
    for (int i = 0; i < 2; ++i) machine.thread("C-67", ".........");
    waits = machine.thread("W", "rrrrrrrr0");
  });
  const auto instead = at(waits, 3);
  ASSERT_TRUE(instead);
  std::vector<std::string> lanes;
  for (const RanInstead::Thread& thread : instead->threads)
    lanes.push_back(thread.lane.is_none() ? "" : name_of(thread.lane));
  EXPECT_EQ(lanes, (std::vector<std::string>{"A-65", "A (97)", "", ""}))
      << "B has another number, and of C are two";
}

TEST_F(RanInsteadTest, IsOfTheMachineOfTheThread) {
  LaneId waits[2], homeless;
  build([&](trace::EventSink& sink) {
    const char* const runs[] = {"BBBB", "CCCC"};
    for (int i = 0; i < 2; ++i) {
      const LaneId root =
          sink.add_lane({fmt::format("machine {}", i), LaneId::none(), LaneKind::kGroup, i});
      const Machine machine{sink, root};
      machine.cpu(0, runs[i]);
      waits[i] = machine.thread("W", "rrrr0");
    }
    homeless = Machine{sink, LaneId::none()}.thread("W", "rrrr0");
  });
  EXPECT_EQ(text(at(waits[0], 1).value()), "B 4/1");
  EXPECT_EQ(text(at(waits[1], 1).value()), "C 4/1");
  EXPECT_FALSE(at(homeless, 1)) << "which of the two cannot be told";
}

}  // namespace
}  // namespace weft::query
