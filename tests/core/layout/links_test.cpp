#include "core/layout/links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "tests/core/store/random_trace.h"

namespace weft::layout {
namespace {

const TimeScale kLinkScale({Time{0}, Time{1000}}, 500);  // 2 ticks a px: 4 a column, 64 a bundle's

LinkRecord link(uint32_t source, uint32_t target, int64_t send, int64_t receive) {
  return {{LaneId(source), LaneId(target), Time{send}, Time{receive}, EventTypeId(0)}};
}

TEST(Links, NeighboursBetweenTheSameLanesAreOneBundle) {
  const std::vector<LinkRecord> links{link(1, 2, 0, 100), link(1, 2, 5, 105), link(1, 3, 6, 100),
                                      link(2, 1, 0, 100), link(1, 2, 500, 600)};
  const auto items = bundle(links, kLinkScale, 100);
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items[0].count, 2u);
  EXPECT_TRUE(items[0].is_bundle());
  EXPECT_FALSE(items[3].is_bundle());
  uint64_t count = 0;
  for (const LinkItem& item : items) count += item.count;
  EXPECT_EQ(count, links.size());
}

TEST(Links, AreApartWhereATickIsAsWideAsABundle) {
  const std::vector<LinkRecord> links{link(1, 2, 0, 0), link(1, 2, 1, 1), link(1, 2, 1, 1),
                                      link(1, 2, 2, 2)};
  const auto items = bundle(links, TimeScale({Time{0}, Time{10}}, 200), 100);
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[1].count, 2u);
}

TEST(Links, WhatLacksAnEndIsABundleOfItsOwn) {
  LinkRecord lost = link(1, 2, 10, 0);
  lost.target = LaneId::none();
  const auto items = bundle(std::vector{link(1, 2, 10, 60), lost, lost}, kLinkScale, 100);
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].count + items[1].count, 3u);
  EXPECT_EQ(std::ranges::count(items, LaneId::none(), &LinkItem::target), 1);
}

TEST(Links, TheLargestBundlesStayWhenThereAreTooMany) {
  std::vector<LinkRecord> links;
  for (uint32_t i = 0; i < 100; ++i) links.push_back(link(i, 200, i * 10, 900));
  for (int i = 0; i < 5; ++i) links.push_back(link(7, 200, 70, 900));
  const auto items = bundle(links, kLinkScale, 10);
  ASSERT_EQ(items.size(), 10u);
  EXPECT_EQ(std::ranges::max(items, {}, &LinkItem::count).count, 6u);
  EXPECT_TRUE(std::ranges::is_sorted(items, {}, &LinkItem::send));
}

TEST(Links, WidthGrowsWithTheLogarithm) {
  EXPECT_EQ(link_width_px(1), 1);
  EXPECT_LT(link_width_px(2), link_width_px(20));
  EXPECT_LT(link_width_px(20), link_width_px(200));
  EXPECT_EQ(link_width_px(UINT64_MAX), 6);
}

TEST(Links, EndAtTheInnermostStatesThatRunThere) {
  const testing_traces::ScratchFolder folder;
  testing_traces::Events events;
  events.lanes = 2;
  events.add_state(0, 0, 100);
  events.add_state(0, 20, 50);
  events.add_state(1, 150, 300);
  events.add_link(0, 30, 1, 200);
  events.add_link(0, 60, 1, 120);
  const auto trace = testing_traces::build(events, folder / "t.weft");
  LinkItems links = links_in(*trace, TimeScale({Time{0}, Time{301}}, 500));
  find_ends(query::Elements(trace), links.items, {});
  const auto depth_of = [&](RowId row) -> std::optional<uint32_t> {
    if (row.is_none()) return std::nullopt;
    EXPECT_EQ(trace->row(row).kind, store::RowKind::kState);
    return trace->row(row).depth;
  };
  ASSERT_EQ(links.items.size(), 2u);
  EXPECT_EQ(depth_of(links.items[0].source_row), 1u);
  EXPECT_EQ(depth_of(links.items[0].target_row), 0u);
  EXPECT_EQ(depth_of(links.items[1].source_row), 0u);
  EXPECT_EQ(depth_of(links.items[1].target_row), std::nullopt);
}

// covers FS-60: of too many links a share is drawn, and it is known how large it is
TEST(Links, OfTooManyAShareIsDrawnAndSaid) {
  const testing_traces::ScratchFolder folder;
  testing_traces::Events events = testing_traces::random_events(43, 5, 3'000);
  const auto trace = testing_traces::build(events, folder / "t.weft");
  const TimeScale scale({trace->range().begin, trace->range().end + Duration{1}}, 500);
  const LinkItems all = links_in(*trace, scale, {.max_items = 1'000'000});
  EXPECT_EQ(all.in_view, events.links.size());
  EXPECT_EQ(all.share(), 1);
  const LinkItems some = links_in(*trace, scale, {.max_items = 10});
  ASSERT_EQ(some.items.size(), 10u);
  EXPECT_EQ(some.in_view, all.in_view);
  uint64_t drawn = 0;
  for (const LinkItem& item : some.items) drawn += item.count;
  EXPECT_EQ(some.read, drawn);
  EXPECT_LT(some.share(), 1);
  EXPECT_GT(some.share(), 0);
  EXPECT_TRUE(some.is_counted);
  const LinkItems sampled =
      links_in(*trace, scale, {.max_records = all.in_view / 2, .samples = 500});
  EXPECT_FALSE(sampled.is_counted);
  EXPECT_NEAR(static_cast<double>(sampled.in_view), static_cast<double>(all.in_view),
              static_cast<double>(all.in_view) / 4);
}

TEST(Links, ThatPassOverTheViewAreCounted) {
  const testing_traces::ScratchFolder folder;
  testing_traces::Events events = testing_traces::random_events(41, 3, 3'000);
  const auto trace = testing_traces::build(events, folder / "t.weft");
  const int64_t length = trace->range().length().ticks;
  uint64_t most = 0;
  for (int i = 0; i < 100; ++i) {
    const Time from = trace->range().begin + Duration{length * i / 100};
    const TimeRange view = {from, from + Duration{i % 2 == 0 ? 10 : 100}};
    uint64_t expected = 0;
    for (const trace::LinkEvent& event : events.links) {
      const bool has_ends = !event.source.is_none() && !event.target.is_none();
      if (has_ends && event.send < view.begin && event.receive >= view.end) ++expected;
    }
    const LinkItems items = links_in(*trace, TimeScale(view, 500));
    EXPECT_EQ(items.passing, expected);
    EXPECT_TRUE(items.is_passing_whole);
    most = std::max(most, expected);
    if (expected == 0) continue;
    const LinkItems part = links_in(*trace, TimeScale(view, 500), {.max_records = 1});
    EXPECT_FALSE(part.is_passing_whole);
    EXPECT_LE(part.passing, 1u);
  }
  EXPECT_GE(most, 1u);
}

}  // namespace
}  // namespace weft::layout
