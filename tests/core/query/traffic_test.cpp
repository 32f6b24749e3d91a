#include "core/query/messages/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/base/thread_pool.h"
#include "core/query/link_ends.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

TEST(Traffic, EqualsAPlainLoopOverLinks) {
  const ScratchFolder folder;
  ThreadPool pool(2);
  std::mt19937_64 random(8);
  for (int i = 0; i < 40; ++i) {
    const auto trace = testing_traces::build(
        testing_traces::random_events(static_cast<uint32_t>(i), 4, 400), folder / "t.weft");
    const Selection selection = random_selection(*trace, random);
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> pairs;
    std::map<uint32_t, Time> first;
    const auto see = [&](LaneId lane, Time time) {
      const auto [at, is_new] = first.emplace(lane.value(), time);
      if (!is_new) at->second = std::min(at->second, time);
    };
    for (const FlatEvent& event : flat_events(*trace)) {
      if (!is_link(event.row->kind) || !is_in(selection, event)) continue;
      const LinkEnds link = ends_of(event.row->kind, event.row->lane, event.record);
      if (link.is_sent()) see(link.source, link.send);
      if (link.is_received()) see(link.target, link.receive);
      if (link.is_sent() && link.is_received()) ++pairs[{link.source.value(), link.target.value()}];
    }
    const Traffic traffic = measure_traffic(*trace, selection, pool);
    ASSERT_EQ(traffic.pairs.size(), pairs.size());
    for (const PairTraffic& pair : traffic.pairs)
      EXPECT_EQ(pair.messages, (pairs[{pair.source.value(), pair.target.value()}]));
    ASSERT_EQ(traffic.lanes.size(), first.size());
    for (size_t k = 0; k + 1 < traffic.lanes.size(); ++k)
      EXPECT_LE(first.at(traffic.lanes[k].value()), first.at(traffic.lanes[k + 1].value()));
    EXPECT_EQ(lanes_of_messages(*trace),
              measure_traffic(*trace, Selection::all(*trace), pool).lanes);
  }
}

}  // namespace
}  // namespace weft::query
