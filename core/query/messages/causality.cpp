#include "core/query/messages/causality.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "core/query/thread_states.h"
#include "core/store/id_zones.h"
#include "core/store/segment.h"
#include "core/trace/message_id.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;
using store::RowPart;

// Received before a send in states that are over, one of a program's main loop say: no causes.
constexpr uint64_t kMostLookedAt = 4096;

// The next tick; saturates, so that half-open ranges reach the last tick.
Time after(Time time) { return time + Duration{1}; }

Record record_at(const store::Trace& trace, const EventPlace& place) {
  return trace.row(place.row).parts[place.part].record(place.index);
}

// The begin of the first record at `from` or after it.
std::optional<Time> first_begin(const RowPart& part, Time from) {
  const uint64_t index = part.lower_bound(from.ticks);
  return index == part.count() ? std::nullopt : std::optional(part.record(index).begin);
}

void set_if_earlier(std::optional<Time>& first, std::optional<Time> other) {
  if (other && (!first || *other < *first)) first = other;
}

bool is_same_state(const Element& a, const Element& b) {
  return a.row == b.row && a.record.begin == b.record.begin &&
         a.record.duration == b.record.duration;
}

}  // namespace

template <class Body>
void Causality::for_each_part(LaneId lane, RowKind kind, Body body) const {
  const store::RowSpan rows = elements_->rows_of(lane, kind);
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    const auto& parts = elements_->trace()->row(RowId(i)).parts;
    for (uint32_t part = 0; part < parts.size(); ++part) body(RowId(i), part, parts[part]);
  }
}

std::optional<Time> Causality::next_receive(LaneId lane, Time time) const {
  std::optional<Time> next;
  for_each_part(lane, RowKind::kLinkIn, [&](RowId, uint32_t, const RowPart& rows) {
    set_if_earlier(next, first_begin(rows, after(time)));
  });
  return next;
}

bool Causality::is_merely_taken(const Element& state, Time receive) const {
  const TimeRange rest{receive, std::max(state.record.end(), after(receive))};
  return state.record.begin < receive && sent_in(state.ref.lane, rest, 1).all.empty();
}

// The first that begins in the range, the outermost of several.
std::optional<Element> Causality::next_state(LaneId lane, TimeRange within) const {
  std::optional<Time> first;
  for_each_part(lane, RowKind::kState, [&](RowId, uint32_t, const RowPart& rows) {
    set_if_earlier(first, first_begin(rows, within.begin));
  });
  if (!first || !within.contains(*first)) return std::nullopt;
  const auto states = elements_->states_at(lane, *first);
  return states.empty() ? std::nullopt : std::optional(states.front());
}

Handling Causality::handling_of(LaneId lane, Time receive) const {
  const auto states = elements_->states_at(lane, receive);
  const Time own_end =
      states.empty() ? receive : std::max(states.back().record.end(), after(receive));
  if (!states.empty() && !is_merely_taken(states.back(), receive))
    return {{receive, own_end}, receive, states.back()};
  const Time end = std::max(own_end, next_receive(lane, receive).value_or(Time::max()));
  if (!states.empty()) return {{receive, end}, receive, states.back()};
  Handling handling{{receive, end}, receive, next_state(lane, {receive, end})};
  if (handling.state) handling.begin = handling.state->record.begin;
  return handling;
}

CausalMessage Causality::message_at(const EventPlace& place) const {
  const store::Trace& trace = *elements_->trace();
  const Row& row = trace.row(place.row);
  CausalMessage message;
  message.place = place;
  message.record = record_at(trace, place);
  message.ends = ends_of(row.kind, row.lane, message.record);
  if (message.ends.is_received()) {
    message.handling = handling_of(message.ends.target, message.ends.receive);
  }
  return message;
}

MessagePlaces Causality::links_in(LaneId lane, RowKind kind, TimeRange span, size_t most) const {
  MessagePlaces places;
  std::vector<Record> records;
  for_each_part(lane, kind, [&](RowId row, uint32_t part, const RowPart& rows) {
    const uint64_t begin = rows.lower_bound(span.begin.ticks);
    const uint64_t end = rows.lower_bound(span.end.ticks);
    const uint64_t count = std::min<uint64_t>(end - begin, most - places.all.size());
    places.is_cut |= count < end - begin;
    records.clear();
    rows.read(begin, count, records);
    for (uint64_t i = 0; i < count; ++i)
      places.all.push_back({records[i].begin, row, part, begin + i});
  });
  return places;
}

MessagePlaces Causality::sent_in(LaneId lane, TimeRange span, size_t most) const {
  return links_in(lane, RowKind::kLinkOut, span, most);
}

// The states that run at `time` tell how far back a message may be handled still. One that was
// received before them is handled still if it was the last.
MessagePlaces Causality::causes_at(LaneId lane, Time time, size_t most) const {
  const auto running = elements_->states_at(lane, time);
  const Time floor = running.empty() ? after(time) : running.front().record.begin;
  const auto is_handled_still = [&](Time receive) {
    const auto states = elements_->states_at(lane, receive);
    if (states.empty() || is_merely_taken(states.back(), receive))
      return next_receive(lane, receive).value_or(Time::max()) > time;
    return std::ranges::any_of(
        running, [&](const Element& state) { return is_same_state(state, states.back()); });
  };
  MessagePlaces causes;
  for_each_part(lane, RowKind::kLinkIn, [&](RowId row, uint32_t part, const RowPart& rows) {
    std::optional<Time> judged;  // the receives at this time are causes, or are not
    bool is_cause = false;
    uint64_t index = rows.lower_bound(after(time).ticks);
    for (uint64_t looked_at = 0; index-- > 0; ++looked_at) {
      const Time receive = rows.record(index).begin;
      if (receive != judged) {
        if (judged && receive < floor) return;
        is_cause = is_handled_still(receive);
        judged = receive;
      }
      if (looked_at == kMostLookedAt || (is_cause && causes.all.size() == most)) {
        causes.is_cut = true;
        return;
      }
      if (is_cause) causes.all.push_back({receive, row, part, index});
    }
  });
  return causes;
}

EventPlace Causality::end_of(const Element& link, RowKind kind) const {
  const LinkEnds ends = query::ends_of(link);
  const LaneId lane = kind == RowKind::kLinkOut ? ends.source : ends.target;
  const bool has_end = !lane.is_none();
  const LaneId where = has_end ? lane : link.ref.lane;
  const RowKind of = has_end ? kind : link.ref.kind;
  const Time at = !has_end                    ? link.record.begin
                  : kind == RowKind::kLinkOut ? ends.send
                                              : ends.receive;
  const auto places = links_in(where, of, {at, after(at)}, kMostLookedAt).all;
  const auto found = std::ranges::find_if(places, [&](const EventPlace& place) {
    const Record record = record_at(*elements_->trace(), place);
    return record.params == link.record.params && ends_of(of, where, record) == ends;
  });
  // Damage may have left an end without the other.
  return found == places.end() ? EventPlace{link.record.begin, link.row, 0, 0} : *found;
}

MessagePlaces Causality::next_of(const CausalMessage& message, Causal direction,
                                 size_t most) const {
  const LinkEnds& ends = message.ends;
  if (direction == Causal::kCauses) {
    return ends.is_sent() ? causes_at(ends.source, ends.send, most) : MessagePlaces();
  }
  return ends.is_received() ? sent_in(ends.target, message.handling.span, most) : MessagePlaces();
}

MessagePlaces Causality::roots_of(const Element& of, Causal direction, size_t most) const {
  const RowKind kind = direction == Causal::kCauses ? RowKind::kLinkIn : RowKind::kLinkOut;
  if (of.is_link()) return {{end_of(of, kind)}};
  TimeRange span = span_of(of);
  if (direction == Causal::kCauses) {
    if (const auto run = run_after(*elements_, of)) span.end = after(run->record.begin);
  }
  MessagePlaces places = links_in(of.ref.lane, kind, span, most);
  if (direction == Causal::kCauses)
    std::ranges::reverse(places.all);  // the latest first, as all causes
  return places;
}

CausalTree Causality::tree(const Element& of, Causal direction, size_t most,
                           const std::stop_token& stop) const {
  CausalTree tree;
  std::set<EventPlace> known;
  const auto add = [&](const MessagePlaces& places, uint32_t from, uint32_t distance) {
    tree.is_cut |= places.is_cut;
    for (const EventPlace& place : places.all) {
      if (stop.stop_requested() || known.contains(place)) continue;
      if (tree.is_cut |= tree.messages.size() >= most; tree.is_cut) return;
      known.insert(place);
      tree.messages.push_back(message_at(place));
      tree.messages.back().from = from;
      tree.messages.back().distance = distance;
    }
  };
  add(roots_of(of, direction, most), CausalMessage::kNone, 0);
  for (uint32_t i = 0; i < tree.messages.size() && !stop.stop_requested(); ++i) {
    const CausalMessage message = tree.messages[i];
    add(next_of(message, direction, most), i, message.distance + 1);
  }
  return tree;
}

std::vector<EventPlace> messages_with_id(const store::Trace& trace, uint64_t id, size_t most,
                                         const std::stop_token& stop) {
  std::vector<EventPlace> found;
  std::vector<Record> records;
  const auto look_into = [&](RowId row_id, uint32_t part, uint64_t zone) {
    const Row& row = trace.row(row_id);
    const uint64_t first = zone * store::kIdZoneRecords;
    const uint64_t count = std::min(store::kIdZoneRecords, row.parts[part].count() - first);
    records.clear();
    row.parts[part].read(first, count, records);
    for (uint64_t i = 0; i < count && found.size() < most; ++i) {
      if (!store::counts_message(row.kind, records[i])) continue;
      if (trace::message_id(trace.params(records[i].params).json) == id)
        found.push_back({records[i].begin, row_id, part, first + i});
    }
  };
  for (uint32_t i = 0; i < trace.rows().size() && found.size() < most; ++i) {
    const Row& row = trace.row(RowId(i));
    if (!is_link(row.kind)) continue;
    for (uint32_t part = 0; part < row.parts.size(); ++part) {
      const uint64_t zones = store::id_zones_of(row.parts[part].count());
      for (uint64_t zone = 0; zone < zones && !stop.stop_requested(); ++zone) {
        if (row.parts[part].id_zone(zone).may_hold(id)) look_into(RowId(i), part, zone);
      }
    }
  }
  return found;
}

Result<EventPlace> message_with_id(const store::Trace& trace, uint64_t id, std::optional<Time> at,
                                   const std::stop_token& stop) {
  constexpr size_t kMostCounted = 1000;
  std::vector<EventPlace> places = messages_with_id(trace, id, kMostCounted, stop);
  if (stop.stop_requested()) return fail("stopped");
  if (at) std::erase_if(places, [&](const EventPlace& place) { return place.time != *at; });
  if (places.empty())
    return fail(fmt::format("no message has the id {}{}", id, at ? " at that time" : ""));
  if (places.size() == 1) return places.front();
  const auto [first, last] = std::ranges::minmax(places, {}, &EventPlace::time);
  return fail(fmt::format("{}{} messages have the id {}, the first at {}, the last at {}",
                          places.size(), places.size() == kMostCounted ? " or more" : "", id,
                          first.time.ticks, last.time.ticks));
}

std::vector<uint32_t> depth_first(const CausalTree& tree) {
  // Effects follow their cause, in the order in which they are to be printed.
  const auto count = static_cast<uint32_t>(tree.messages.size());
  std::vector<std::vector<uint32_t>> below(count + 1);
  for (uint32_t i = 0; i < count; ++i) below[std::min(tree.messages[i].from, count)].push_back(i);
  std::vector<uint32_t> order;
  std::vector<uint32_t> open(below[count].rbegin(), below[count].rend());
  while (!open.empty()) {
    order.push_back(open.back());
    open.pop_back();
    const auto& next = below[order.back()];
    open.insert(open.end(), next.rbegin(), next.rend());
  }
  return order;
}

}  // namespace weft::query
