#include "app/panels/timeline/chain_links.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <tuple>

namespace weft::app {
namespace {

const store::Row* link_row(const store::Trace& trace, LaneId lane, store::RowKind kind) {
  const auto row = std::ranges::find_if(trace.rows(), [&](const store::Row& other) {
    return other.lane == lane && other.kind == kind;
  });
  return row == trace.rows().end() ? nullptr : &*row;
}

// The link's record in the row of its send, or of its receive.
store::Record record_at(const query::CausalMessage& message, bool is_send) {
  const query::LinkEnds& ends = message.ends;
  store::Record record = message.record;
  record.begin = is_send ? ends.send : ends.receive;
  record.peer = is_send ? ends.target : ends.source;
  return record;
}

}  // namespace

bool has_shown_ends(const TraceModel& model, LaneId source, LaneId target) {
  const auto is_hidden = [&](LaneId lane) {
    return !lane.is_none() && !model.lanes.line_of(lane) && !model.pinned.line_of(lane);
  };
  return !is_hidden(source) && !is_hidden(target);
}

uint64_t chain_links_in_view(const ChainKey& key) {
  const store::Trace& trace = *key.model->trace;
  // A link that is selected is in both trees.
  std::set<std::tuple<LaneId, LaneId, Time, Time, ParamsId>> of_causes;
  const auto name_of = [](const query::CausalMessage& message) {
    const query::LinkEnds& ends = message.ends;
    return std::tuple(ends.source, ends.target, ends.send, ends.receive, message.record.params);
  };
  const auto is_counted = [&](const query::CausalMessage& message) {
    const query::LinkEnds& ends = message.ends;
    const bool is_sent_here = ends.is_sent() && key.view.contains(ends.send);
    const bool is_received_here = ends.is_received() && key.view.contains(ends.receive);
    if (!is_sent_here && !is_received_here) return false;
    if (!has_shown_ends(*key.model, ends.source, ends.target)) return false;
    if (!key.filter) return true;
    const store::Row* row = is_sent_here ? link_row(trace, ends.source, store::RowKind::kLinkOut)
                                         : link_row(trace, ends.target, store::RowKind::kLinkIn);
    return row && key.filter->for_row(trace, *row).passes(record_at(message, is_sent_here));
  };
  uint64_t count = 0;
  const auto drawn = std::views::take(ElementFacts::kMostDrawn);
  for (const query::CausalMessage& message : key.facts->causes.messages | drawn) {
    of_causes.insert(name_of(message));
    count += is_counted(message) ? 1 : 0;
  }
  for (const query::CausalMessage& message : key.facts->effects.messages | drawn)
    count += !of_causes.contains(name_of(message)) && is_counted(message) ? 1 : 0;
  return count;
}

}  // namespace weft::app
