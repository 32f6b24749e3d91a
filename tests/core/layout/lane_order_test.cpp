// covers B-10, C-16, C-17: which lanes are shown and in which order
#include "core/layout/lane_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/layout/lanes.h"
#include "core/store/segment.h"  // a row of the store holds parts of segments

namespace weft::layout {
namespace {

// process A: thread 10 (busy 5, from 30), thread 9 (busy 50, from 20); process B: nothing; cpu.
struct Sample {
  trace::Dictionary dictionary;
  std::vector<store::Row> rows;
  LaneId a, t10, t9, b, empty, cpu;

  Sample() {
    a = add("process A", LaneId::none());
    t10 = add("thread 10", a, 5, 30);
    t9 = add("thread 9", a, 50, 20);
    b = add("process B", LaneId::none());
    empty = add("Idle", b);
    cpu = add("CPU", LaneId::none(), 10, 0);
  }
  LaneId add(const char* name, LaneId parent, int64_t busy = 0, int64_t first = 0) {
    const LaneId id(static_cast<uint32_t>(dictionary.lanes.size()));
    dictionary.lanes.push_back({name, parent, trace::LaneKind::kThread, 0});
    if (busy > 0) {
      store::Row row;
      row.lane = id;
      row.count = 1;
      row.busy = busy;
      row.first_begin = {first};
      rows.push_back(row);
    }
    return id;
  }
  // "process A(thread 10 thread 9) …", as indents would show it.
  std::string shown(const LaneArrangement& arrangement) const {
    return text(arrange_lanes(dictionary, rows, arrangement).lanes);
  }
  // All lanes, including those without events.
  std::string all(LaneArrangement arrangement) const {
    arrangement.shows_eventless = true;
    return shown(arrangement);
  }
  std::string text(const std::vector<ArrangedLane>& lanes) const {
    std::string text;
    for (const ArrangedLane& lane : lanes) {
      text += std::string(lane.depth, '.') + dictionary.lane(lane.lane).name + " ";
    }
    return text;
  }
};

TEST(LaneOrder, IsTheTracesOwnAtFirst) {
  const Sample sample;
  EXPECT_EQ(sample.all({}), "process A .thread 10 .thread 9 process B .Idle CPU ");
}

TEST(LaneOrder, LeavesOutWhatHasNoEvent) {
  Sample sample;
  EXPECT_EQ(sample.shown({}), "process A .thread 10 .thread 9 CPU ");
  const auto left_out = [&](const LaneArrangement& lanes) {
    const LaneOrder order = arrange_lanes(sample.dictionary, sample.rows, lanes);
    const bool is_asked = !lanes.shows_eventless && !lanes.hides_empty;
    if (is_asked) {
      EXPECT_EQ(has_eventless(sample.dictionary, sample.rows), order.eventless > 0);
    }
    return std::pair(order.left_out, order.eventless);
  };
  EXPECT_EQ(left_out({}), std::pair(2u, 2u));
  EXPECT_EQ(left_out({.hidden = {sample.cpu}}), std::pair(3u, 2u));
  EXPECT_EQ(left_out({.shows_eventless = true}), std::pair(0u, 0u));
  EXPECT_EQ(left_out({.hides_empty = true}), std::pair(2u, 0u));
  sample.dictionary.report.add("lost", {0, sample.empty});
  EXPECT_EQ(left_out({}), std::pair(0u, 0u)) << "what it had is lost";
  sample.dictionary.report = {};
  sample.dictionary.lanes[sample.empty.value()].kind = trace::LaneKind::kCounter;
  EXPECT_EQ(left_out({}), std::pair(0u, 0u)) << "a signal that stays 0";
  sample.dictionary.lanes[sample.empty.value()].kind = trace::LaneKind::kThread;
  sample.rows.clear();
  EXPECT_EQ(left_out({}), std::pair(0u, 0u)) << "where no lane has any, all are there";
}

TEST(LaneOrder, SortsSiblings) {
  const Sample sample;
  EXPECT_EQ(sample.all({.sort = LaneSort::kName}),
            "CPU process A .thread 9 .thread 10 process B .Idle ");
  EXPECT_EQ(sample.all({.sort = LaneSort::kActivity}),
            "process A .thread 9 .thread 10 CPU process B .Idle ");
  EXPECT_EQ(sample.all({.sort = LaneSort::kFirstEvent}),
            "CPU process A .thread 9 .thread 10 process B .Idle ");
}

TEST(LaneOrder, HidesLanesWithWhatLiesBelow) {
  const Sample sample;
  EXPECT_EQ(sample.all({.hidden = {sample.a}}), "process B .Idle CPU ");
  EXPECT_EQ(sample.shown({.hides_empty = true}), "process A .thread 10 .thread 9 CPU ");
  const LaneOrder order =
      arrange_lanes(sample.dictionary, sample.rows, {.hides_empty = true, .hidden = {sample.t9}});
  EXPECT_EQ(order.left_out, 3u);
}

// covers XC-29
TEST(LaneOrder, HidesLanesInWhoseRowsNothingPasses) {
  const Sample sample;
  std::vector<bool> rows;
  for (const store::Row& row : sample.rows) rows.push_back(row.lane == sample.t9);
  const LaneArrangement lanes = {.hides_empty = true,
                                 .passing = std::make_shared<const std::vector<bool>>(rows)};
  EXPECT_EQ(sample.shown(lanes), "process A .thread 9 ");
  EXPECT_EQ(sample.shown({.passing = lanes.passing}), sample.shown({})) << "unless it is wanted";
  // The other rows of a lane that stays are left out.
  std::vector<store::Row> twice = sample.rows;
  const auto row = std::ranges::find(twice, sample.t9, &store::Row::lane);
  store::Row deeper = *row;
  deeper.depth = 1;
  const auto at = static_cast<size_t>(row - twice.begin());
  twice.insert(row + 1, deeper);
  std::vector<bool> outer(twice.size());
  outer[at] = true;
  const auto rows_of = [&](const RowSet& seen) {
    const ArrangedLane lane = {sample.t9};
    return Lanes::build(sample.dictionary, twice, {&lane, 1}, {}, {}, {}, seen).rows().size();
  };
  EXPECT_EQ(rows_of({}), 2u);
  EXPECT_EQ(rows_of(std::make_shared<const std::vector<bool>>(outer)), 1u);
  // Rows that have come since are there.
  rows.resize(1);
  EXPECT_NE(sample.shown(
                {.hides_empty = true, .passing = std::make_shared<const std::vector<bool>>(rows)}),
            "");
}

TEST(LaneOrder, FiltersByTheWordsOfAPath) {
  const Sample sample;
  EXPECT_EQ(sample.shown({.filter = "THREAD"}), "process A .thread 10 .thread 9 ");
  EXPECT_EQ(sample.shown({.filter = " 9  process "}), "process A .thread 9 ");
  EXPECT_EQ(sample.shown({.filter = "cpu"}), "CPU ");
  EXPECT_EQ(sample.all({.filter = "process b"}), "process B .Idle ");
  EXPECT_EQ(sample.shown({.filter = "nobody"}), "");
}

// No lane is kept above "process B/Idle", which has no event, or above hidden lanes.
TEST(LaneOrder, WhatIsNotShownKeepsNoLaneAboveIt) {
  const Sample sample;
  EXPECT_EQ(sample.shown({.filter = "idle"}), "");
  EXPECT_EQ(sample.all({.filter = "thread 9", .hidden = {sample.t9}}), "");
  EXPECT_EQ(sample.all({.filter = "thread", .hidden = {sample.t9}}), "process A .thread 10 ");
  EXPECT_EQ(sample.all({.filter = "thread 9", .hidden = {sample.a}}), "");
}

TEST(LaneOrder, PinnedLanesStayWhateverIsFiltered) {
  const Sample sample;
  using Bands = std::pair<std::string, std::string>;  // pinned, and the others
  const auto arranged = [&](const char* filter, std::vector<LaneId> pinned) {
    const LaneOrder order = arrange_lanes(sample.dictionary, sample.rows,
                                          {.filter = filter, .pinned = std::move(pinned)});
    return Bands(sample.text(order.pinned), sample.text(order.lanes));
  };
  EXPECT_EQ(arranged("cpu", {sample.t9}), Bands("thread 9 ", "CPU "));
  EXPECT_EQ(arranged("cpu", {sample.a}), Bands("process A .thread 10 .thread 9 ", "CPU "));
  EXPECT_EQ(arranged("thread 9", {sample.t9}), Bands("thread 9 ", ""));
}

TEST(LaneOrder, MovesLanesAmongTheirSiblings) {
  const Sample sample;
  EXPECT_EQ(sample.all({.moves = {{sample.t9, sample.t10}, {sample.cpu, sample.a}}}),
            "CPU process A .thread 9 .thread 10 process B .Idle ");
  EXPECT_EQ(sample.all({.moves = {{sample.a, LaneId::none()}}}),
            "process B .Idle CPU process A .thread 10 .thread 9 ");
  // Not among others, nor before itself.
  EXPECT_EQ(sample.shown({.moves = {{sample.t9, sample.cpu},
                                    {sample.cpu, sample.cpu},
                                    {LaneId(99), LaneId::none()}}}),
            sample.shown({}));
}

TEST(LaneOrder, KeepsPinnedLanesApart) {
  const Sample sample;
  const LaneOrder order =
      arrange_lanes(sample.dictionary, sample.rows,
                    {.shows_eventless = true, .pinned = {sample.cpu, sample.a, LaneId(99)}});
  EXPECT_EQ(sample.text(order.pinned), "CPU process A .thread 10 .thread 9 ");
  EXPECT_EQ(sample.text(order.lanes), "process B .Idle ");
  EXPECT_EQ(order.left_out, 0u);
}

TEST(LaneOrder, IsFlatWithoutHeaders) {
  const Sample sample;
  EXPECT_EQ(sample.shown({.sort = LaneSort::kActivity, .is_flat = true}),
            "thread 9 CPU thread 10 ");
}

TEST(LaneOrder, ComparesNamesByTheirNumbers) {
  EXPECT_TRUE(is_name_before("cpu 2", "cpu 10"));
  EXPECT_FALSE(is_name_before("cpu 10", "cpu 2"));
  EXPECT_TRUE(is_name_before("CPU 2", "cpu 3"));
  EXPECT_TRUE(is_name_before("a", "ab"));
  EXPECT_FALSE(is_name_before("a 01", "a 1"));
  EXPECT_FALSE(is_name_before("a 1", "a 01"));
  EXPECT_TRUE(is_name_before("x 99999999999999999999998", "x 99999999999999999999999"));
}

}  // namespace
}  // namespace weft::layout
