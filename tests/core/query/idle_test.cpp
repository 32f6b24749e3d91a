// covers FS-25, C-30: what is cut out is empty, and what is long enough and empty is cut out
#include "core/query/idle.h"

#include <gtest/gtest.h>

#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

std::vector<RowId> all_rows(const store::Trace& trace) {
  std::vector<RowId> rows;
  for (uint32_t i = 0; i < trace.rows().size(); ++i) rows.emplace_back(i);
  return rows;
}

TEST(Idle, HoldsNoEvent) {
  const ScratchFolder folder;
  for (const uint32_t seed : {31u, 32u, 33u}) {
    const auto trace = build(random_events(seed, 2, 60), folder / "t.weft");
    const auto events = flat_events(*trace);
    for (const int64_t least : {20, 100, 1'000, 20'000}) {
      const auto idle = idle_stretches(*trace, all_rows(*trace), {least}, {});
      Time last = Time::min();
      for (const TimeRange& stretch : idle) {
        EXPECT_LT(last, stretch.begin);
        EXPECT_LT(stretch.begin, stretch.end);
        last = stretch.end;
        for (const FlatEvent& event : events) {
          EXPECT_FALSE(lies_in(*event.row, event.record, stretch));
          if (!is_link(event.row->kind)) continue;
          EXPECT_FALSE(stretch.contains(event.record.begin));
        }
      }
    }
  }
}

// A state of 10 ticks every `pause`.
Events bursts(int count, int64_t pause) {
  Events events;
  for (int i = 0; i < count; ++i) {
    events.states.push_back({{i * pause}, {10}, ParamsId::none(), LaneId(0), EventTypeId(0), 0});
  }
  return events;
}

TEST(Idle, HasEveryLongPause) {
  const ScratchFolder folder;
  const auto trace = build(bursts(20, 10'000), folder / "t.weft");
  const auto idle = idle_stretches(*trace, all_rows(*trace), {1'000}, {});
  ASSERT_EQ(idle.size(), 19u);
  for (const TimeRange& stretch : idle) EXPECT_GT(stretch.length().ticks, 9'000);
  EXPECT_TRUE(idle_stretches(*trace, all_rows(*trace), {20'000}, {}).empty());
}

TEST(Idle, IsBoundedHoweverShortThePauses) {
  const ScratchFolder folder;
  const auto trace = build(bursts(50'000, 1'000), folder / "t.weft");
  EXPECT_LE(idle_stretches(*trace, all_rows(*trace), {1}, {}).size(), kIdleColumns / 3);
}

TEST(Idle, IsNothingWhereItIsStopped) {
  const ScratchFolder folder;
  const auto trace = build(bursts(20, 10'000), folder / "t.weft");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(idle_stretches(*trace, all_rows(*trace), {1'000}, stop.get_token()).empty());
  EXPECT_TRUE(idle_stretches(*trace, {}, {1'000}, {}).empty());
}

}  // namespace
}  // namespace weft::query
