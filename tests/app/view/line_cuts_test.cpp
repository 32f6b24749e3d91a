#include "app/view/line_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace weft::app {
namespace {

using Ranges = std::vector<TimeRange>;

IdleTrace trace(TimeBase base, int64_t offset, TimeRange range, Ranges idle) {
  return {{base, {offset}}, range, std::make_shared<const TimeCuts>(std::move(idle))};
}

TEST(LineCuts, OnlyWhatIsIdleInAllIsCut) {
  const IdleTrace a =
      trace(TimeBase::kNanoseconds, 0, {{0}, {1000}}, {{{100}, {400}}, {{500}, {900}}});
  const IdleTrace b = trace(TimeBase::kNanoseconds, 100, {{200}, {700}}, {{{250}, {600}}});
  // On the line b is [300, 800), idle in [350, 700).
  const IdleTrace both[] = {a, b};
  EXPECT_EQ(common_idle(both, 0, {1}),
            (Ranges{{{100}, {300}}, {{350}, {400}}, {{500}, {700}}, {{800}, {900}}}));
  EXPECT_EQ(common_idle(both, 0, {150}), (Ranges{{{100}, {300}}, {{500}, {700}}}));
}

TEST(LineCuts, WhatLiesBetweenTwoTracesIsCut) {
  const IdleTrace both[] = {trace(TimeBase::kNanoseconds, 0, {{0}, {100}}, {}),
                            trace(TimeBase::kNanoseconds, 0, {{5000}, {5100}}, {})};
  EXPECT_EQ(common_idle(both, 0, {1}), (Ranges{{{100}, {5000}}}));
}

// However many cuts and whatever the bases, what lies together unfolded lies together folded.
TEST(LineCuts, FoldedTimesOfAllTracesStayTogether) {
  std::mt19937 random(7);
  Ranges fine, coarse;
  int64_t at = 1'000'037;
  for (int i = 0; i < 500; ++i) {
    const int64_t end = at + 1 + static_cast<int64_t>(random() % 100'000'000);
    fine.push_back({{at}, {end}});
    at = end + 1 + static_cast<int64_t>(random() % 1'000'000);
  }
  const int64_t micros = at / 1000;
  for (int64_t from = 0; from < micros - 2000; from += 1500)
    coarse.push_back({{from}, {from + 1000}});
  const std::vector<IdleTrace> traces = {
      trace(TimeBase::kNanoseconds, 417, {{0}, {at}}, fine),
      trace(TimeBase::kMicroseconds, -3, {{0}, {micros}}, coarse)};
  LineCuts line;
  const auto cuts = line.find(traces, 2'000'000);
  ASSERT_TRUE(cuts[0] && cuts[1]);
  ASSERT_EQ(cuts[0]->cuts().size(), cuts[1]->cuts().size());
  ASSERT_GT(cuts[0]->cuts().size(), 1000u);
  const auto folded = [&](size_t i, Time t) {
    return on_line(cuts[i]->folded(t), traces[i].place, {}).ticks;
  };
  const int64_t apart =
      folded(0, {0}) - folded(1, on_line(Time{0}, traces[0].place, traces[1].place));
  for (int64_t t = 0; t < at; t += at / 997) {
    const Time there = on_line(Time{t}, traces[0].place, traces[1].place);
    EXPECT_NEAR(static_cast<double>(folded(0, {t}) - folded(1, there)), static_cast<double>(apart),
                1000);
  }
  // Nothing happens in any of them where all are cut.
  for (const TimeRange& cut : cuts[0]->cuts()) {
    const bool is_idle = std::ranges::any_of(fine, [&](const TimeRange& idle) {
      return idle.begin <= cut.begin && cut.end <= idle.end;
    });
    EXPECT_TRUE(is_idle || cut.begin.ticks >= at || cut.end.ticks <= 0);
  }
}

TEST(LineCuts, NothingIsCutUntilAllAreKnown) {
  std::vector<IdleTrace> traces = {trace(TimeBase::kNanoseconds, 0, {{0}, {100}}, {{{10}, {90}}}),
                                   {{}, {{0}, {100}}, nullptr}};
  LineCuts line;
  EXPECT_EQ(line.find(traces, 1)[0], nullptr);
  traces[1].idle = traces[0].idle;
  const auto known = line.find(traces, 1);
  ASSERT_TRUE(known[0]);
  EXPECT_EQ(line.find(traces, 1)[0], known[0]);  // the same while nothing changes
}

}  // namespace
}  // namespace weft::app
