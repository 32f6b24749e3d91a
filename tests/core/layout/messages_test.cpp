// covers TM-08, TM-09
#include "core/layout/messages.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/base/thread_pool.h"
#include "core/query/filter/filter_compiler.h"
#include "core/store/builder.h"
#include "tests/core/store/random_trace.h"

namespace weft::layout {
namespace {

using testing_traces::Events;
using testing_traces::ScratchFolder;

// Links of which some lack an end and some take long, over lanes of which few talk much.
Events random_messages(uint32_t seed, uint32_t lanes, uint32_t count) {
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  Events events;
  events.lanes = lanes;
  events.types = 3;
  int64_t t = 1000;
  for (uint32_t i = 0; i < count; ++i) {
    t += below(5) == 0 ? below(400) : below(4);
    const auto lane = [&] {
      return LaneId(static_cast<uint32_t>(std::min(below(lanes), below(lanes))));
    };
    trace::LinkEvent link{
        {t},    {t + below(below(50) == 0 ? 20'000 : 60) - 5}, ParamsId::none(), lane(),
        lane(), EventTypeId(static_cast<uint32_t>(below(3)))};
    if (below(20) == 0) link.target = LaneId::none();
    if (below(20) == 0 && !link.target.is_none()) link.source = LaneId::none();
    events.links.push_back(link);
  }
  return events;
}

ShownLanes all_lanes(uint32_t lanes) {
  ShownLanes shown;
  for (uint32_t i = 0; i < lanes; ++i) shown.emplace_back(i);
  return shown;
}

// The messages that touch a range, found by a plain loop.
struct Expected {
  uint64_t messages = 0, hidden = 0, filtered = 0;
  std::map<LaneId, uint64_t> sent, received;  // by lane as shown, of those shown
};

Expected expect(const Events& events, TimeRange range, const ShownLanes& shown,
                std::optional<int64_t> least_latency) {
  Expected expected;
  for (const trace::LinkEvent& link : events.links) {
    const bool is_sent = !link.source.is_none(), is_received = !link.target.is_none();
    const bool is_in =
        (is_sent && range.contains(link.send)) || (is_received && range.contains(link.receive));
    const bool passes_over =
        is_sent && is_received && link.send < range.begin && link.receive >= range.end;
    if (!is_in && !passes_over) continue;
    ++expected.messages;
    const bool has_latency = is_sent && is_received;
    if (least_latency && (!has_latency || (link.receive - link.send).ticks < *least_latency)) {
      ++expected.filtered;
      continue;
    }
    const auto is_hidden = [&](LaneId lane) {
      return !lane.is_none() && shown[lane.value()].is_none();
    };
    if (is_hidden(link.source) || is_hidden(link.target)) {
      ++expected.hidden;
      continue;
    }
    if (is_sent) ++expected.sent[shown[link.source.value()]];
    if (is_received) ++expected.received[shown[link.target.value()]];
  }
  return expected;
}

void compare(const Messages& messages, const Expected& expected, const ShownLanes& shown) {
  EXPECT_EQ(messages.total(), expected.messages);
  EXPECT_EQ(messages.on_hidden_lanes, expected.hidden);
  EXPECT_EQ(messages.filtered_out, expected.filtered);
  std::map<LaneId, uint64_t> sent, received;
  uint64_t in_arrows = 0;
  std::map<int64_t, size_t> arrows_of_block;
  for (const MessageArrow& arrow : messages.arrows) {
    const LinkItem& link = arrow.link;
    in_arrows += link.count;
    if (!link.source.is_none()) sent[shown[link.source.value()]] += link.count;
    if (!link.target.is_none()) received[shown[link.target.value()]] += link.count;
    const int level = messages.grid.level;
    EXPECT_EQ(column_of(link.send, level), column_of(arrow.last_send, level));
    EXPECT_EQ(column_of(link.receive, level), column_of(arrow.last_receive, level));
    if (messages.grid.range.contains(link.send))
      ++arrows_of_block[column_of(link.send, level + kBlockCellsLevel)];
  }
  EXPECT_EQ(in_arrows, messages.in_arrows);
  for (const TrafficBar& bar : messages.bars) {
    if (bar.sent > 0) sent[bar.lane] += bar.sent;
    if (bar.received > 0) received[bar.lane] += bar.received;
  }
  EXPECT_EQ(sent, expected.sent);
  EXPECT_EQ(received, expected.received);
  for (const auto& [block, arrows] : arrows_of_block)
    EXPECT_LE(arrows, messages.grid.bundles ? kBlockArrows : kMostSingles);
}

TEST(Messages, ArrowsAndBarsHoldExactlyWhatThereIs) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  std::mt19937_64 random(7);
  bool had_bars = false, had_bundles = false, had_passing = false, had_singles = false;
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const uint32_t lanes = seed * 7;
    Events events = random_messages(seed, lanes, 20'000);
    if (seed == 2)
      std::erase_if(events.links, [](const auto& link) { return link.source.is_none(); });
    const auto trace = testing_traces::build(events, folder / "t.weft");
    const TimeRange all = trace->range();
    for (int i = 0; i < 30; ++i) {
      ShownLanes shown = all_lanes(lanes);
      if (i % 3 == 1) shown[random() % lanes] = LaneId::none();
      if (i % 3 == 2) shown[random() % lanes] = LaneId(0);  // folded
      const int64_t length = 1 + (all.length().ticks >> random() % 14);
      const Time from = all.begin + Duration{static_cast<int64_t>(random() % all.length().ticks)};
      MessageGrid grid = message_grid({{from, from + Duration{length}}, 700});
      if (i < 4) grid = message_grid({{all.begin, all.end + Duration{1}}, 700});
      if (i >= 4) {
        EXPECT_LE(grid.range.begin, from);
        EXPECT_GE(grid.range.end, from + Duration{length});
      }
      grid.bundles = i % 2 == 0;
      std::optional<int64_t> least;
      MessageFilter filter;
      if (i % 5 == 0) {
        least = 20;
        aggregate::Condition condition;
        condition.on = aggregate::Condition::On::kLatency;
        condition.ticks.least = *least;
        filter.filter = std::make_shared<const aggregate::Filter>(aggregate::where(condition), 3);
      }
      const auto messages = messages_in(*trace, grid, shown, filter, pool);
      ASSERT_TRUE(messages);
      had_singles |= !messages->grid.bundles;
      EXPECT_TRUE(messages->is_passing_whole);
      compare(*messages, expect(events, grid.range, shown, least), shown);
      had_bars |= messages->in_bars > 0;
      for (const MessageArrow& arrow : messages->arrows) {
        had_bundles |= arrow.link.is_bundle();
        EXPECT_TRUE(messages->grid.bundles || !arrow.link.is_bundle());
        had_passing |= !arrow.link.source.is_none() && !arrow.link.target.is_none() &&
                       arrow.link.send < grid.range.begin && arrow.link.receive >= grid.range.end;
      }
    }
  }
  EXPECT_TRUE(had_bars && had_bundles && had_passing && had_singles);
}

// covers TM-46
TEST(Messages, WaitFromTheirSendUntilTheyAreHandled) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  const Events events = random_messages(5, 4, 3'000);
  const auto trace = testing_traces::build(events, folder / "t.weft");
  const Time middle = trace->range().begin + Duration{trace->range().length().ticks / 2};
  for (const int64_t length : {500, 5'000, 100'000}) {
    const MessageGrid grid = message_grid({{middle, middle + Duration{length}}, 300});
    const auto messages = messages_in(*trace, grid, all_lanes(4), {}, pool);
    ASSERT_TRUE(messages);
    std::map<std::pair<LaneId, int64_t>, uint64_t> waiting;
    for (const Waiting& part : messages->waiting) {
      EXPECT_GT(part.messages, 0u);
      for (int64_t cell = part.begin_cell; cell < part.end_cell; ++cell)
        EXPECT_TRUE(waiting.emplace(std::pair(part.lane, cell), part.messages).second);
    }
    std::map<std::pair<LaneId, int64_t>, uint64_t> expected;
    for (int64_t cell = column_of(grid.range.begin, grid.level);
         cell < column_of(grid.range.end, grid.level); ++cell) {
      const Time end = time_of_column(cell + 1, grid.level);
      for (const trace::LinkEvent& link : events.links) {
        const bool has_ends = !link.source.is_none() && !link.target.is_none();
        if (has_ends && link.send < end && link.receive >= end)
          ++expected[std::pair(link.target, cell)];
      }
    }
    EXPECT_EQ(waiting, expected);
    EXPECT_FALSE(expected.empty());
  }
}

TEST(Messages, WhatDoesNotPassIsLeftOutOrDimmed) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  const Events events = random_messages(9, 5, 300);
  const auto trace = testing_traces::build(events, folder / "t.weft");
  aggregate::Condition condition;
  condition.on = aggregate::Condition::On::kType;
  condition.ids = {false, true};
  MessageFilter filter{std::make_shared<const aggregate::Filter>(aggregate::where(condition), 3),
                       /*keeps_rest=*/true};
  const MessageGrid grid = message_grid({trace->range(), 5'000});
  const auto dimmed = messages_in(*trace, grid, all_lanes(5), filter, pool);
  ASSERT_TRUE(dimmed);
  uint64_t passing = 0;
  for (const MessageArrow& arrow : dimmed->arrows) {
    EXPECT_EQ(arrow.is_dim, arrow.link.type != EventTypeId(1));
    if (!arrow.is_dim) passing += arrow.link.count;
  }
  EXPECT_EQ(dimmed->total(), 300u);
  EXPECT_EQ(dimmed->filtered_out, 0u);
  filter.keeps_rest = false;
  const auto hidden = messages_in(*trace, grid, all_lanes(5), filter, pool);
  ASSERT_TRUE(hidden);
  EXPECT_EQ(hidden->in_arrows, passing);
  EXPECT_EQ(hidden->filtered_out, 300u - passing);
}

// covers TM-45, TM-49
TEST(Messages, ClassesAndWhatWasDroppedAreTold) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  auto builder = *store::StoreBuilder::create({folder / "t.weft", "test"}, pool);
  std::vector<LaneId> lanes;
  for (int i = 0; i < 4; ++i) lanes.push_back(builder->add_lane({.name = std::to_string(i)}));
  const EventTypeId often = builder->type(trace::Category::kLink, "often", "");
  const EventTypeId rare = builder->type(trace::Category::kLink, "rare", "");
  const ParamsId dropped = builder->params(R"({"uid":1,"dropped":1})", {});
  constexpr int64_t kMessages = 60'000;
  for (int64_t i = 0; i < kMessages; ++i) {
    const bool is_rare = i % 6'000 == 17, is_lost = i % 7 == 3;
    builder->give(
        trace::LinkEvent{.send = {i},
                         .receive = {i + 2 + i % 90},
                         .params = i % 14 == 3 ? dropped : ParamsId::none(),
                         .source = lanes[static_cast<size_t>(i % 3)],
                         .target = is_lost ? LaneId::none() : lanes[static_cast<size_t>(i / 5 % 4)],
                         .type = is_rare ? rare : often});
  }
  const auto trace = *builder->finish();
  aggregate::Condition condition;
  condition.on = aggregate::Condition::On::kType;
  condition.ids = {false, true};
  MessageRules rules = {{nullptr, 5}};  // of a rule that does not fit the trace
  rules.push_back({std::make_shared<const aggregate::Filter>(aggregate::where(condition), 2), 1});
  for (const double width : {300.0, 20'000.0}) {
    const MessageGrid grid = message_grid({{Time{0}, Time{kMessages}}, width});
    const auto messages =
        messages_in(*trace, grid, all_lanes(4),
                    {nullptr, false, std::make_shared<const MessageRules>(rules)}, pool);
    ASSERT_TRUE(messages);
    EXPECT_EQ(messages->total(), static_cast<uint64_t>(kMessages));
    EXPECT_EQ(messages->dropped, static_cast<uint64_t>(kMessages + 10) / 14);
    uint64_t of_class = 0, in_arrows = 0, in_bars = 0;
    for (const MessageArrow& arrow : messages->arrows) {
      EXPECT_EQ(arrow.link.mark.has_class(), arrow.link.type == rare);
      if (arrow.link.mark.has_class()) of_class += arrow.link.count;
      if (arrow.link.mark.is_dropped) in_arrows += arrow.link.count;
      EXPECT_FALSE(arrow.link.mark.is_dropped && !arrow.link.target.is_none());
    }
    for (const TrafficBar& bar : messages->bars) in_bars += bar.dropped;
    EXPECT_EQ(in_arrows + in_bars, messages->dropped);
    EXPECT_EQ(of_class, 10U) << "the more important ones stay arrows";
  }
}

TEST(Messages, AnOutlineTellsWhatIsSentAndReceivedInEachCell) {
  const ScratchFolder folder;
  const Events events = random_messages(4, 6, 5'000);
  const auto trace = testing_traces::build(events, folder / "t.weft");
  ShownLanes shown = all_lanes(6);
  shown[3] = LaneId(1);  // folded
  for (const int64_t length : {trace->range().length().ticks + 1, int64_t{2'000}}) {
    const Time from = trace->range().begin;
    const MessageGrid grid = message_grid({{from, from + Duration{length}}, 400});
    const auto outline = outline_of_messages(*trace, grid, shown, {}, {});
    ASSERT_TRUE(outline);
    EXPECT_TRUE(outline->is_outline && outline->arrows.empty());
    std::map<std::pair<int64_t, LaneId>, TrafficBar> expected;
    uint64_t sent = 0;
    const auto bar = [&](Time time, LaneId lane) -> TrafficBar& {
      const int64_t cell = column_of(time, grid.level);
      TrafficBar& of = expected[{cell, shown[lane.value()]}];
      of.cell = cell;
      of.lane = shown[lane.value()];
      return of;
    };
    for (const trace::LinkEvent& link : events.links) {
      if (!link.source.is_none() && grid.range.contains(link.send)) {
        ++bar(link.send, link.source).sent;
        ++sent;
      }
      if (!link.target.is_none() && grid.range.contains(link.receive))
        ++bar(link.receive, link.target).received;
    }
    ASSERT_EQ(outline->bars.size(), expected.size());
    size_t i = 0;
    for (const auto& [key, each] : expected) EXPECT_EQ(outline->bars[i++], each);
    EXPECT_EQ(outline->in_bars, sent);
    EXPECT_EQ(messages_sent_in(*trace, grid.range), sent);
  }
}

// Logs whose time is a count of events have one after the other, a tick apart: close up all are
// arrows.
TEST(Messages, ATickApartTheyAreToldApartWhereATickIsWide) {
  const ScratchFolder folder;
  ThreadPool pool(1);
  auto builder = *store::StoreBuilder::create({folder / "t.weft", "test"}, pool);
  const LaneId a = builder->add_lane({.name = "a"}), b = builder->add_lane({.name = "b"});
  const EventTypeId type = builder->type(trace::Category::kLink, "message", "");
  for (int64_t i = 0; i < 40; ++i) {
    builder->give(trace::LinkEvent{.send = {i},
                                   .receive = {i + 1},
                                   .params = ParamsId::none(),
                                   .source = a,
                                   .target = b,
                                   .type = type});
  }
  const auto trace = *builder->finish();
  for (const double width : {41 * 9.0, 41 * 60.0}) {
    const MessageGrid grid = message_grid({{Time{0}, Time{41}}, width});
    EXPECT_EQ(messages_in(*trace, grid, all_lanes(2), {}, pool)->arrows.size(), 40U) << width;
  }
}

// If lanes are hidden, or a filter is on, the tree does not know which messages are shown.
TEST(Messages, AnOutlineBoundsWhatItCannotTell) {
  const ScratchFolder folder;
  Events events = random_messages(4, 6, 5'000);
  std::erase_if(events.links, [](const auto& link) { return link.source.is_none(); });
  const auto trace = testing_traces::build(events, folder / "t.weft");
  const MessageGrid grid = message_grid({trace->range(), 400});
  ThreadPool pool(2);
  const int64_t middle = trace->range().begin.ticks + trace->range().length().ticks / 2;
  using Bars = std::map<std::pair<int64_t, LaneId>, std::pair<uint64_t, uint64_t>>;
  const auto expect_bound = [&](const ShownLanes& shown, const MessageFilter& filter) {
    const auto outline = outline_of_messages(*trace, grid, shown, filter, {});
    const auto messages = messages_in(*trace, grid, shown, filter, pool);
    EXPECT_TRUE(outline && messages && outline->is_bound);
    Bars bound, found;
    for (const TrafficBar& bar : outline->bars)
      bound[{bar.cell, bar.lane}] = {bar.sent, bar.received};
    for (const TrafficBar& bar : messages->bars)
      found[{bar.cell, bar.lane}] = {bar.sent, bar.received};
    for (const auto& [key, bar] : found) {
      EXPECT_LE(bar.first, bound[key].first);
      EXPECT_LE(bar.second, bound[key].second);
    }
    EXPECT_GE(outline->in_bars, messages->in_bars + messages->in_arrows);
    return outline->in_bars;
  };
  ShownLanes shown = all_lanes(6);
  shown[2] = LaneId::none();
  const uint64_t of_five = expect_bound(shown, {});
  EXPECT_LT(of_five, messages_sent_in(*trace, grid.range));
  const auto filter = query::compile_filter(fmt::format("begin < {}", middle), *trace);
  ASSERT_TRUE(filter);
  EXPECT_LT(expect_bound(shown, {*filter}), of_five * 2 / 3);
}

// The messages as letters of what is alike: lanes 0→1, 1→0, 0→2, 2→2.
Messages messages_of(std::string_view letters) {
  Messages messages;
  int64_t at = 0;
  for (const char letter : letters) {
    MessageArrow arrow;
    arrow.link.source = LaneId(letter == 'b' ? 1 : letter == 'd' ? 2 : 0);
    arrow.link.target = LaneId(letter == 'a' ? 1 : letter == 'b' ? 0 : 2);
    arrow.link.count = 1;
    arrow.payload_bytes = 4;
    arrow.link.send = arrow.last_send = Time{at};
    arrow.link.receive = arrow.last_receive = Time{at + 5};
    messages.arrows.push_back(arrow);
    at += 10;
  }
  return messages;
}

std::string joined(std::string_view letters, std::vector<TimeRange> open = {}) {
  Messages messages = messages_of(letters);
  join_runs(messages, all_lanes(3), open);
  std::string text;
  for (const MessageArrow& arrow : messages.arrows) {
    text += arrow.link.target == LaneId(1)   ? 'a'
            : arrow.link.source == LaneId(1) ? 'b'
            : arrow.link.source == LaneId(0) ? 'c'
                                             : 'd';
    if (arrow.link.count > 1) text += std::to_string(arrow.link.count);
    EXPECT_EQ((arrow.last_send - arrow.link.send).ticks % 10, 0);
    EXPECT_EQ(arrow.payload_bytes, arrow.link.count > 1 ? 0u : 4u);
  }
  return text;
}

TEST(Messages, RepeatedExchangesAreOne) {
  EXPECT_EQ(joined(""), "");
  EXPECT_EQ(joined("abcd"), "abcd");
  EXPECT_EQ(joined("aa"), "aa");  // two are not run
  EXPECT_EQ(joined("aaaa"), "a4");
  EXPECT_EQ(joined("ababab"), "a3b3");
  EXPECT_EQ(joined("cabababd"), "ca3b3d");
  EXPECT_EQ(joined("abcabcabcab"), "a3b3c3ab");
  EXPECT_EQ(joined("aaabababb"), "a3bababb");
  EXPECT_EQ(joined("abcdabcdabcd"), "a3b3c3d3");
}

TEST(Messages, ARunThatIsOpenedStaysEachOfItsMessages) {
  EXPECT_EQ(joined("abababcaaa", {{{20}, {21}}}), "abababca3");  // by any message of it
  EXPECT_EQ(joined("abababcaaa", {{{90}, {500}}}), "a3b3caaa");
  EXPECT_EQ(joined("abababcaaa", {{{60}, {61}}}), "a3b3ca3");  // sent at no run's time
  EXPECT_EQ(joined("abababcaaa", {{{0}, {1}}, {{70}, {71}}}), "abababcaaa");
  Messages messages = messages_of("abababcaaa");
  join_runs(messages, all_lanes(3), std::vector<TimeRange>{{{0}, {1}}});
  ASSERT_EQ(messages.runs.size(), 2u);
  const MessageRun& open = messages.runs[0];
  EXPECT_TRUE(open.is_open);
  EXPECT_EQ(open.arrows, 6u);
  EXPECT_EQ(open.messages, 2u);
  EXPECT_EQ(open.times, 3u);
  EXPECT_EQ(open.sent, (TimeRange{{0}, {51}}));
  const MessageRun& closed = messages.runs[1];
  EXPECT_FALSE(closed.is_open);
  EXPECT_EQ(closed.first, 7u);
  EXPECT_EQ(closed.arrows, 1u);
  EXPECT_EQ(closed.sent, (TimeRange{{70}, {91}}));
}

TEST(Messages, StayWhileTheViewMovesWithinABlock) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  const Events events = random_messages(3, 4, 2'000);
  const auto trace = testing_traces::build(events, folder / "t.weft");
  const Duration length{trace->range().length().ticks / 4};
  const MessageGrid grid =
      message_grid({{trace->range().begin, trace->range().begin + length}, 500});
  const TimeRange moved = {grid.range.begin + Duration{1}, grid.range.begin + Duration{1} + length};
  const MessageGrid after = message_grid({moved, 500});
  EXPECT_EQ(after.level, grid.level);
  EXPECT_EQ(after.range.begin, grid.range.begin);
}

TEST(Messages, StopWhereTheyAreToldTo) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  const auto trace = testing_traces::build(random_messages(3, 4, 2'000), folder / "t.weft");
  std::stop_source stop;
  stop.request_stop();
  const MessageGrid grid = message_grid({trace->range(), 500});
  EXPECT_FALSE(messages_in(*trace, grid, all_lanes(4), {}, query::Work(pool, stop.get_token())));
}

}  // namespace
}  // namespace weft::layout
