// A link as users see it, from whichever side it is stored: from a lane at a time to a lane at a
// time.
#pragma once

#include <optional>
#include <string_view>

#include "core/store/trace.h"

namespace weft::query {

// A lane that is none(): that end is missing, and its time means nothing.
struct LinkEnds {
  LaneId source = LaneId::none();
  LaneId target = LaneId::none();
  Time send, receive;
  EventTypeId type;
  bool operator==(const LinkEnds&) const = default;

  bool is_sent() const { return !source.is_none(); }
  bool is_received() const { return !target.is_none(); }
};

// `record`: a link of a row of that kind on that lane.
inline LinkEnds ends_of(store::RowKind kind, LaneId lane, const store::Record& record) {
  if (kind == store::RowKind::kLinkOut)
    return {lane, record.peer, record.begin, record.end(), record.type};
  return {record.peer, lane, record.begin - record.duration, record.begin, record.type};
}

// Why a view of latencies is empty.
inline constexpr std::string_view kLatenciesUnknown =
    "latencies are not known: each link was seen at one instant";

// From its send to its receive, where it has both ends and the trace knows how long that took. Of
// LinkEnds, or of a layout::LinkItem.
template <class Link>
std::optional<Duration> latency_of(const store::Trace& trace, const Link& link) {
  const bool has_both = !link.source.is_none() && !link.target.is_none();
  if (!has_both || !trace.knows_latencies()) return std::nullopt;
  return link.receive - link.send;
}

}  // namespace weft::query
