// The path that waits longest, against all paths.
#include "core/query/messages/critical_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;

// `lanes` queues that handle and send at random, in time: from most messages many ways lead on.
Events random_messages(uint32_t seed, uint32_t lanes, int64_t messages) {
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  Events events;
  events.lanes = lanes;
  events.types = 1;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    for (int64_t t = below(20); t < messages * 5; t += 72 + below(20))
      events.states.push_back({{t}, {70}, ParamsId::none(), LaneId(lane), EventTypeId(0), 0});
  }
  for (int64_t i = 0; i < messages; ++i) {
    const int64_t send = i * 5 + below(5);
    events.links.push_back({{send},
                            {send + 1 + below(60)},
                            ParamsId::none(),
                            LaneId(static_cast<uint32_t>(below(lanes))),
                            LaneId(static_cast<uint32_t>(below(lanes))),
                            EventTypeId(0)});
  }
  return events;
}

TEST(CriticalPath, WaitsLongestOfAllPaths) {
  uint32_t found = 0, with_choice = 0;
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    ScratchFolder folder;
    const auto trace = build(random_messages(seed, 3, 60), folder / "t.weft");
    const Elements elements(trace);
    const Causality causality(elements);
    std::vector<CausalMessage> sent;
    for (uint32_t row = 0; row < trace->rows().size(); ++row) {
      for (uint64_t i = 0; i < trace->row(RowId(row)).count; ++i) {
        if (trace->row(RowId(row)).kind != store::RowKind::kLinkOut) continue;
        const Time time = trace->record(trace->row(RowId(row)), i).begin;
        sent.push_back(causality.message_at({time, RowId(row), 0, i}));
      }
    }
    std::ranges::sort(sent, {}, [](const CausalMessage& m) { return m.ends.send; });
    // All ways forward from a message, by plain steps: the longest waiting to each, how many ways.
    const auto walk = [&](const CausalMessage& from, const LinkEnds& to) {
      std::optional<Duration> best;
      uint64_t ways = 0;
      const std::function<void(const CausalMessage&, Duration)> go = [&](const CausalMessage& at,
                                                                         Duration waiting) {
        waiting = waiting + at.travel() + at.waiting();
        if (at.ends == to) {
          best = std::max(best.value_or(waiting), waiting);
          ++ways;
        }
        if (ways > 20'000) return;
        for (const CausalMessage& next : sent) {
          if (next.ends.source == at.ends.target && at.handling.span.contains(next.ends.send))
            go(next, waiting);
        }
      };
      go(from, {});
      return std::pair(best, ways);
    };
    for (size_t i = 0; i < sent.size(); i += 5) {
      for (size_t k = i; k < std::min(sent.size(), i + 25); k += 4) {
        const auto [best, ways] = walk(sent[i], sent[k].ends);
        if (ways > 20'000) continue;
        const auto path = critical_path(causality, *elements.at(sent[i].place),
                                        *elements.at(sent[k].place), 10'000);
        ASSERT_EQ(path.has_value(), best.has_value()) << seed << ": " << i << " to " << k;
        if (!path) continue;
        EXPECT_EQ(path->waiting(), *best) << seed << ": " << i << " to " << k;
        EXPECT_EQ(path->messages.front().ends, sent[i].ends);
        EXPECT_EQ(path->messages.back().ends, sent[k].ends);
        for (size_t m = 1; m < path->messages.size(); ++m) {
          const CausalMessage& before = path->messages[m - 1];
          const LinkEnds& ends = path->messages[m].ends;
          EXPECT_EQ(ends.source, before.ends.target);
          EXPECT_TRUE(before.handling.span.contains(ends.send));
        }
        ++found;
        with_choice += ways > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(found, 50U);
  EXPECT_GT(with_choice, 10U);
}

TEST(CriticalPath, LeadsFromStateToState) {
  Events events;
  events.lanes = 3;
  events.types = 1;
  events.add_state(0, 0, 10);
  events.add_state(1, 20, 80);
  events.add_state(2, 100, 110);
  events.add_link(0, 1, 1, 20);
  events.add_link(0, 2, 1, 60);  // waits longer
  events.add_link(1, 70, 2, 100);
  ScratchFolder folder;
  const Elements elements(build(events, folder / "t.weft"));
  const Causality causality(elements);
  const Element first = elements.states_at(LaneId(0), {5}).at(0);
  const Element last = elements.states_at(LaneId(2), {105}).at(0);
  const auto path = critical_path(causality, first, last, 100);
  ASSERT_TRUE(path);
  ASSERT_EQ(path->messages.size(), 2U);
  EXPECT_EQ(path->messages[0].ends.send, Time{2});
  EXPECT_EQ(path->waiting(), Duration{58 + 30});
  EXPECT_FALSE(critical_path(causality, last, first, 100));
}

}  // namespace
}  // namespace weft::query
