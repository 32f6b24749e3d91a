// covers FS-45, B-07
#include "core/query/metrics/duration_bins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/base/thread_pool.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;

std::vector<int64_t> plain_lengths(const std::vector<FlatEvent>& all, const Selection& selection,
                                   LengthsOf of) {
  std::vector<int64_t> lengths;
  for (const FlatEvent& event : all) {
    const bool is_meant = of == LengthsOf::kStates ? event.row->kind == store::RowKind::kState
                                                   : event.row->kind == store::RowKind::kLinkOut &&
                                                         !event.record.peer.is_none();
    if (is_meant && is_in(selection, event))
      lengths.push_back(std::max<int64_t>(0, event.record.duration.ticks));
  }
  std::ranges::sort(lengths);
  return lengths;
}

void expect_bins_are(const DurationBins& bins, const std::vector<int64_t>& lengths) {
  ASSERT_EQ(bins.count, lengths.size());
  if (lengths.empty()) return;
  EXPECT_EQ(bins.least, lengths.front());
  EXPECT_EQ(bins.most, lengths.back());
  double area = 0;
  for (size_t i = 0; i < bins.counts.size(); ++i) {
    const auto inside = std::ranges::count_if(lengths, [&](int64_t length) {
      return bins.borders[i] <= length && length < bins.borders[i + 1];
    });
    EXPECT_EQ(bins.counts[i], static_cast<uint64_t>(inside)) << i;
    area += bins.density(i) * static_cast<double>(bins.borders[i + 1] - bins.borders[i]);
  }
  EXPECT_EQ(std::accumulate(bins.counts.begin(), bins.counts.end(), uint64_t{0}), lengths.size());
  EXPECT_NEAR(area, 1, 1e-9);
  for (size_t i = 0; i < kDurationQuantiles.size(); ++i) {
    const auto n = static_cast<double>(lengths.size());
    const int64_t exact = lengths[static_cast<size_t>(std::ceil(kDurationQuantiles[i] * n)) - 1];
    EXPECT_GE(bins.quantiles[i], exact);
    EXPECT_LE(bins.quantiles[i], exact + (exact < 1 << 20 ? 0 : exact >> 19));
  }
}

TEST(DurationBins, HoldEveryStateAndMessageOfAnySelectionOnce) {
  const ScratchFolder folder;
  const auto trace = build(random_events(31, 3, 1'500), folder / "t.weft");
  const auto all = flat_events(*trace);
  std::mt19937_64 random(32);
  ThreadPool pool(2);
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    const Selection selection = i == 0 ? Selection::all(*trace) : random_selection(*trace, random);
    for (const LengthsOf of : {LengthsOf::kStates, LengthsOf::kMessages}) {
      for (const BinScale scale : {BinScale::kLinear, BinScale::kLogarithmic}) {
        const auto bins = duration_bins(*trace, selection, of, scale, 1 + random() % 100, pool);
        ASSERT_TRUE(bins);
        expect_bins_are(*bins, plain_lengths(all, selection, of));
      }
    }
  }
}

std::optional<DurationBins> bins_of_states(const Events& events, BinScale scale, size_t bins) {
  const ScratchFolder folder;
  const auto trace = build(events, folder / "t.weft");
  ThreadPool pool(1);
  return duration_bins(*trace, Selection::all(*trace), LengthsOf::kStates, scale, bins, pool);
}

TEST(DurationBins, AreFewWhereLengthsAreAlike) {
  Events events;
  for (int64_t i = 0; i < 10; ++i) {
    events.states.push_back({{10 * i}, {5 + i % 2}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  }
  const auto bins = bins_of_states(events, BinScale::kLogarithmic, 50);
  ASSERT_TRUE(bins);
  EXPECT_EQ(bins->borders, (std::vector<int64_t>{5, 6, 7}));
  EXPECT_EQ(bins->counts, (std::vector<uint64_t>{5, 5}));
}

TEST(DurationBins, WhatHasNoLengthIsByItselfWhereBinsWiden) {
  Events events;
  for (const int64_t length : {0, 0, 0, 1'000, 1'000, 5'000, 90'000})
    events.states.push_back({{0}, {length}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  const auto bins = bins_of_states(events, BinScale::kLogarithmic, 4);
  ASSERT_TRUE(bins);
  EXPECT_EQ(bins->borders, (std::vector<int64_t>{0, 1'000, 4'481, 20'083, 90'001}));
  EXPECT_EQ(bins->counts, (std::vector<uint64_t>{3, 2, 1, 1}));
}

TEST(DurationBins, HoldTheLongestThereCanBe) {
  Events events;
  const int64_t longest = std::numeric_limits<int64_t>::max() - 10;
  events.states.push_back({{0}, {longest}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  events.states.push_back({{1}, {0}, ParamsId::none(), LaneId(0), EventTypeId(0)});
  for (const BinScale scale : {BinScale::kLinear, BinScale::kLogarithmic}) {
    const auto bins = bins_of_states(events, scale, 20);
    ASSERT_TRUE(bins);
    EXPECT_EQ(bins->counts.front(), 1u);
    EXPECT_EQ(bins->counts.back(), 1u);
  }
}

TEST(DurationBins, OfNothingAreNone) {
  const auto bins = bins_of_states({}, BinScale::kLinear, 20);
  ASSERT_TRUE(bins);
  EXPECT_EQ(bins->count, 0u);
  EXPECT_TRUE(bins->counts.empty());
}

}  // namespace
}  // namespace weft::query
