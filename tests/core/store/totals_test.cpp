#include "core/store/totals.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/core/store/random_trace.h"

namespace weft::store {
namespace {

using testing_traces::build;
using testing_traces::Events;
using testing_traces::random_events;
using testing_traces::ScratchFolder;

// When each event begins: a link is sent, or received where nobody is known to have sent it.
std::vector<int64_t> begins_of(const Events& events) {
  std::vector<int64_t> begins;
  for (const auto& e : events.states) begins.push_back(e.begin.ticks);
  for (const auto& e : events.punctuals) begins.push_back(e.time.ticks);
  for (const auto& e : events.variables) begins.push_back(e.time.ticks);
  for (const auto& e : events.links)
    begins.push_back(e.source.is_none() ? e.receive.ticks : e.send.ticks);
  return begins;
}

Events events_of(uint32_t seed, int64_t origin) {
  Events events = random_events(seed, 5, 50'000, origin);
  for (size_t i = 0; i < events.links.size(); ++i) {
    if (i % 3 == 1) events.links[i].source = LaneId::none();
    if (i % 3 == 2) events.links[i].target = LaneId::none();
  }
  return events;
}

TEST(Totals, CountWhereEventsBegin) {
  ScratchFolder folder;
  for (const int64_t origin : {int64_t{0}, int64_t{-30'000}, int64_t{1} << 60}) {
    const Events events = events_of(3, origin);
    for (const uint64_t memory : {uint64_t{400} << 20, uint64_t{1}}) {
      const auto trace = build(events, folder / "t.weft", memory);
      const Totals& totals = trace->totals();
      std::map<int64_t, uint64_t> expected, found;
      for (const int64_t begin : begins_of(events)) ++expected[begin >> totals.level];
      for (size_t i = 0; i < totals.counts.size(); ++i)
        if (totals.counts[i] > 0) found[totals.first + static_cast<int64_t>(i)] = totals.counts[i];
      EXPECT_GT(found.size(), 50u);
      EXPECT_EQ(found, expected);
      EXPECT_TRUE(trace->verify()) << trace->verify().error().message;
    }
  }
}

TEST(Totals, SumOverPartsOfTheGrid) {
  ScratchFolder folder;
  const Events events = events_of(4, -5'000);
  const auto trace = build(events, folder / "t.weft");
  const std::vector<int64_t> begins = begins_of(events);
  const Totals& totals = trace->totals();
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const int level = totals.level + static_cast<int>(random() % 6);
    const auto bins = static_cast<uint32_t>(1 + random() % 40);
    const int64_t first =
        (trace->range().begin.ticks >> level) - 3 + static_cast<int64_t>(random() % 9);
    const TimeRange range{{first << level}, {(first + bins) << level}};
    std::vector<uint64_t> expected(bins);
    for (const int64_t begin : begins) {
      const int64_t bin = (begin >> level) - first;
      if (bin >= 0 && bin < bins) ++expected[static_cast<size_t>(bin)];
    }
    EXPECT_EQ(totals.over_bins(range, bins), expected);
  }
}

TEST(Totals, SayNothingOfOtherParts) {
  Totals totals = Totals::over({{0}, {1 << 20}}, 1 << 20);
  ASSERT_EQ(totals.level, 8);
  EXPECT_EQ(totals.counts.size(), 4096u);
  EXPECT_FALSE(totals.over_bins({{0}, {1024}}, 4).empty());
  EXPECT_TRUE(totals.over_bins({{0}, {1024}}, 8).empty());    // finer
  EXPECT_TRUE(totals.over_bins({{0}, {1536}}, 2).empty());    // no power of two
  EXPECT_TRUE(totals.over_bins({{256}, {1280}}, 2).empty());  // off the grid
  EXPECT_TRUE(totals.over_bins({{0}, {0}}, 1).empty());
  EXPECT_TRUE(Totals::over({{0}, {1 << 20}}, 100).counts.empty());
  EXPECT_EQ(Totals::over({Time::min(), Time::max()}, 1 << 20).level, 52);
}

}  // namespace
}  // namespace weft::store
