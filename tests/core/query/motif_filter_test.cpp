// Shapes of what lanes say to each other, as a filter. covers TM-08, B-03
#include "core/query/filter/motif_filter.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "core/query/filter/filter_compiler.h"
#include "core/query/link_ends.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;

// Sends of the messages that pass; each from both of its ends, or from none.
std::set<int64_t> passing(const store::Trace& trace, const std::string& text) {
  std::multiset<int64_t> sends;
  const auto filter = compile_filter(text, trace);
  EXPECT_TRUE(filter) << filter.error().one_line(text);
  if (!filter) return {};
  for (const store::Row& row : trace.rows()) {
    const auto of_row = (*filter)->for_row(trace, row);
    for (uint64_t i = 0; i < row.count; ++i) {
      const store::Record record = trace.record(row, i);
      if (of_row.passes(record)) sends.insert(ends_of(row.kind, row.lane, record).send.ticks);
    }
  }
  const std::set<int64_t> once(sends.begin(), sends.end());
  for (const int64_t send : once) EXPECT_EQ(sends.count(send), 2U) << send;
  return once;
}

TEST(MotifFilter, ARequestIsAnsweredByWhoHandlesItAndTheResponseGoesBack) {
  const ScratchFolder folder;
  Events events;
  events.lanes = 3;
  events.add_link(0, 10, 1, 15);
  events.add_state(1, 15, 30);
  events.add_link(1, 18, 2, 19);  // to somebody else, who does not answer
  events.add_link(1, 20, 0, 25);
  events.add_state(0, 25, 30);
  events.add_link(1, 40, 0, 45);  // of its own accord
  const auto trace = build(events, folder / "t.weft");
  EXPECT_EQ(passing(*trace, "motif == request"), (std::set<int64_t>{10}));
  EXPECT_EQ(passing(*trace, "motif == response"), (std::set<int64_t>{20}));
  EXPECT_EQ(passing(*trace, "motif in [request, response]"), (std::set<int64_t>{10, 20}));
  EXPECT_EQ(passing(*trace, "motif != request"), (std::set<int64_t>{18, 20, 40}));
}

TEST(MotifFilter, ABroadcastReachesThreeLanesWithoutAReceiveInBetween) {
  const ScratchFolder folder;
  Events events;
  events.lanes = 5;
  events.types = 2;
  for (uint32_t to : {0U, 1U, 3U}) events.add_link(2, 100 + to, to, 120);
  // Twice the same lane; a message received in between; one of another type.
  events.add_link(4, 200, 0, 220);
  events.add_link(4, 201, 0, 221);
  events.add_link(4, 202, 1, 222);
  events.add_link(4, 300, 0, 320);
  events.add_link(4, 301, 1, 321);
  events.add_link(0, 290, 4, 302);
  events.add_link(4, 303, 3, 323);
  events.add_link(1, 400, 0, 420);
  events.add_link(1, 401, 2, 421);
  events.links.push_back({{402}, {422}, ParamsId::none(), LaneId(1), LaneId(3), EventTypeId(1)});
  const auto trace = build(events, folder / "t.weft");
  EXPECT_EQ(passing(*trace, "motif == broadcast"), (std::set<int64_t>{100, 101, 103}));
}

TEST(MotifFilter, AGatherComesFromThreeLanesWithoutASendInBetween) {
  const ScratchFolder folder;
  Events events;
  events.lanes = 4;
  for (uint32_t from : {0U, 1U, 2U}) events.add_link(from, 100 + from, 3, 110 + from);
  events.add_link(3, 150, 0, 160);
  for (uint32_t from : {0U, 1U, 2U}) events.add_link(from, 200 + from, 3, 210 + 2 * from);
  events.add_link(3, 213, 0, 230);
  const auto trace = build(events, folder / "t.weft");
  EXPECT_EQ(passing(*trace, "motif == gather"), (std::set<int64_t>{100, 101, 102}));
}

TEST(MotifFilter, IsWhatAPlainLoopFinds) {
  const ScratchFolder folder;
  std::mt19937 random(7);
  Events events;
  events.lanes = 6;
  for (int64_t t = 0; t < 4000; t += 10) {
    const auto from = static_cast<uint32_t>(random() % 6);
    const auto to = static_cast<uint32_t>(random() % 6);
    if (from == to) continue;
    events.add_link(from, t, to, t + 1 + static_cast<int64_t>(random() % 40) * 10);
  }
  std::set<int64_t> expected;
  for (uint32_t lane = 0; lane < 6; ++lane) {
    std::vector<trace::LinkEvent> sent;
    for (const trace::LinkEvent& link : events.links)
      if (link.source == LaneId(lane)) sent.push_back(link);
    for (size_t i = 0; i + 3 <= sent.size(); ++i) {
      const std::set<uint32_t> to = {sent[i].target.value(), sent[i + 1].target.value(),
                                     sent[i + 2].target.value()};
      const bool is_apart = std::ranges::any_of(events.links, [&](const trace::LinkEvent& link) {
        return link.target == LaneId(lane) && link.receive >= sent[i].send &&
               link.receive < sent[i + 2].send;
      });
      if (to.size() < 3 || is_apart) continue;
      for (size_t k = i; k < i + 3; ++k) expected.insert(sent[k].send.ticks);
    }
  }
  EXPECT_GT(expected.size(), 5U);
  EXPECT_EQ(passing(*build(events, folder / "t.weft"), "motif == broadcast"), expected);
}

TEST(MotifFilter, SaysWhatItsNamesAre) {
  const ScratchFolder folder;
  Events events;
  events.add_state(0, 0, 10);
  const auto trace = build(events, folder / "t.weft");
  EXPECT_EQ(compile_filter("motif == ring", *trace).error().message,
            "'ring' is not a motif (request, response, broadcast, gather)");
  EXPECT_FALSE(compile_filter("motif =~ /b/", *trace));
  EXPECT_TRUE(passing(*trace, "motif != gather").empty()) << "a state is not a message";
}

}  // namespace
}  // namespace weft::query
