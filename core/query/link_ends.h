// A link by its ends, whichever row it was read from: from a lane at a time to a lane at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/store/trace.h"

namespace weft::query {

// If a lane is none(), that end is missing and its time is meaningless.
struct LinkEnds {
  LaneId source = LaneId::none();
  LaneId target = LaneId::none();
  Time send, receive;
  EventTypeId type;
  bool operator==(const LinkEnds&) const = default;

  bool is_sent() const { return !source.is_none(); }
  bool is_received() const { return !target.is_none(); }
};

// `record` is from a row of links of that kind on that lane.
inline LinkEnds ends_of(store::RowKind kind, LaneId lane, const store::Record& record) {
  if (kind == store::RowKind::kLinkOut)
    return {lane, record.peer, record.begin, record.end(), record.type};
  return {record.peer, lane, record.begin - record.duration, record.begin, record.type};
}

// Every link that has a send is in a row of sends; others are in rows of receives alone.
inline bool has_links_without_send(const store::Trace& trace) {
  uint64_t sends = 0;
  for (const store::Row& row : trace.rows())
    if (row.kind == store::RowKind::kLinkOut) sends += row.count;
  return sends < trace.counts()[trace::Category::kLink];
}

// The message of an empty view of latencies.
inline constexpr std::string_view kLatenciesUnknown =
    "latencies are not known: each link was seen at one instant";

// Returns the time from send to receive if the link has both ends and the trace knows latencies.
inline std::optional<Duration> latency_of(const store::Trace& trace, const LinkEnds& link) {
  if (!link.is_sent() || !link.is_received() || !trace.knows_latencies()) return std::nullopt;
  return link.receive - link.send;
}

}  // namespace weft::query
