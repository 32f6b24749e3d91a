#include "core/query/element.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/aggregate/columns.h"
#include "core/store/segment.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;
using store::RowSpan;

uint32_t which_of(const Row& row) {
  if (row.kind == RowKind::kState) return row.depth;
  return row.kind == RowKind::kVariable ? row.variable.value() : 0;
}

bool names(const ElementRef& ref, const Record& record) {
  if (record.begin != ref.begin || record.type != ref.type) return false;
  return !is_link(ref.kind) || (record.peer == ref.peer && record.duration == ref.duration);
}

// Without `nth`, which a record by itself does not tell.
Element element_of(RowId id, const Row& row, const Record& record) {
  ElementRef ref;
  ref.lane = row.lane;
  ref.kind = row.kind;
  ref.which = which_of(row);
  ref.begin = record.begin;
  ref.type = record.type;
  ref.duration = record.duration;
  if (is_link(row.kind)) ref.peer = record.peer;
  return {id, record, ref};
}

constexpr TimeRange instant(Time t) { return {t, t + Duration{1}}; }

// Walks away from a place in time, in windows that grow, until something is found.
class Walk {
 public:
  Walk(const store::Trace& trace, uint32_t begin, uint32_t end, Direction direction)
      : trace_(trace), begin_(begin), end_(end), is_forward_(direction == Direction::kNext) {}

  template <class Predicate>
  std::optional<Element> find(Time from, const std::stop_token& stop, Predicate is_wanted) const {
    TimeRange all = {Time::max(), Time::min()};
    uint64_t count = 1;
    for (uint32_t i = begin_; i < end_; ++i) {
      const Row& row = trace_.row(RowId(i));
      all = {std::min(all.begin, row.first_begin), std::max(all.end, row.last_end + Duration{1})};
      count = std::max(count, row.count);
    }
    constexpr int64_t kFirstRecords = 256;
    const int64_t spacing = all.length().ticks / static_cast<int64_t>(count);
    int64_t step = std::max<int64_t>(kFirstRecords, saturating_mul(spacing, kFirstRecords));
    Time at = is_forward_ ? std::max(from + Duration{1}, all.begin) : std::min(from, all.end);
    while (!stop.stop_requested() && (is_forward_ ? at < all.end : at > all.begin)) {
      const TimeRange window = is_forward_
                                   ? TimeRange{at, std::min(all.end, at + Duration{step})}
                                   : TimeRange{std::max(all.begin, at - Duration{step}), at};
      if (auto found = nearest_in(window, stop, is_wanted)) return found;
      at = is_forward_ ? window.end : window.begin;
      step = saturating_add(step, step);
    }
    return std::nullopt;
  }

 private:
  static int64_t saturating_mul(int64_t a, int64_t b) {
    int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
  }

  template <class Predicate>
  std::optional<Element> nearest_in(TimeRange window, const std::stop_token& stop,
                                    Predicate is_wanted) const {
    std::optional<Element> best;
    for (uint32_t i = begin_; i < end_; ++i) {
      const Row& row = trace_.row(RowId(i));
      trace_.for_each(row, window, [&](const Record& record) {
        if (!window.contains(record.begin) || !is_wanted(record)) return !stop.stop_requested();
        const bool is_nearer = !best || (is_forward_ ? record.begin < best->record.begin
                                                     : record.begin >= best->record.begin);
        if (is_nearer) best = element_of(RowId(i), row, record);
        // The parts of a growing row overlap in time; only one part is in order.
        return !is_forward_ || !trace_.is_complete();
      });
    }
    return best;
  }

  const store::Trace& trace_;
  uint32_t begin_, end_;  // rows
  bool is_forward_;
};

}  // namespace

TimeRange span_of(const Element& element) {
  const TimeRange first = instant(element.record.begin);
  if (element.ref.kind != RowKind::kState) return first;
  return {first.begin, std::max(element.record.end(), first.end)};
}

Elements::Elements(store::TracePtr trace)
    : trace_(std::move(trace)),
      rows_of_lane_(store::rows_by_lane(trace_->rows(), trace_->dictionary().lanes.size())) {}

RowSpan Elements::rows_of(LaneId lane, RowKind kind) const {
  if (lane.value() >= rows_of_lane_.size()) return {};
  const RowSpan of_lane = rows_of_lane_[lane.value()];
  const auto rows = trace_->rows().subspan(of_lane.begin, of_lane.end - of_lane.begin);
  const auto found = std::ranges::equal_range(rows, kind, {}, &Row::kind);
  const auto begin = static_cast<uint32_t>(found.begin() - rows.begin()) + of_lane.begin;
  return {begin, begin + static_cast<uint32_t>(found.size())};
}

std::vector<Element> Elements::beginning_at(RowId id, Time time) const {
  std::vector<Element> found;
  std::map<std::tuple<EventTypeId, LaneId, Duration>, uint32_t> equal;
  const Row& row = trace_->row(id);
  trace_->for_each(row, instant(time), [&](const Record& record) {
    if (record.begin != time) return true;
    Element element = element_of(id, row, record);
    const Duration latency = is_link(row.kind) ? record.duration : Duration{};
    element.ref.nth = equal[{record.type, element.ref.peer, latency}]++;
    found.push_back(element);
    return true;
  });
  return found;
}

std::optional<Element> Elements::find(const ElementRef& ref) const {
  const RowSpan rows = rows_of(ref.lane, ref.kind);
  std::optional<Element> elsewhere;
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    const bool is_hinted = which_of(trace_->row(RowId(i))) == ref.which;
    if (!is_hinted && (elsewhere || ref.kind == RowKind::kVariable)) continue;
    for (const Element& element : beginning_at(RowId(i), ref.begin)) {
      if (!names(ref, element.record) || element.ref.nth != ref.nth) continue;
      if (is_hinted) return element;
      elsewhere = element;
    }
  }
  return elsewhere;
}

template <class Predicate>
std::optional<Element> Elements::neighbour(RowSpan rows, const ElementRef& from,
                                           Direction direction, const std::stop_token& stop,
                                           Predicate is_wanted) const {
  const bool is_forward = direction == Direction::kNext;
  const auto all_at = [&](Time time) {
    std::vector<Element> all;
    for (uint32_t i = rows.begin; i < rows.end; ++i) {
      for (const Element& element : beginning_at(RowId(i), time)) {
        if (is_wanted(element.record)) all.push_back(element);
      }
    }
    return all;
  };
  const std::vector<Element> beside = all_at(from.begin);
  const auto own = std::ranges::find(beside, from, &Element::ref);
  if (is_forward && own != beside.end() && own + 1 != beside.end()) return own[1];
  if (!is_forward && own != beside.end() && own != beside.begin()) return own[-1];
  const auto found =
      Walk(*trace_, rows.begin, rows.end, direction).find(from.begin, stop, is_wanted);
  if (!found) return std::nullopt;
  const std::vector<Element> there = all_at(found->record.begin);
  return is_forward ? there.front() : there.back();
}

std::optional<Element> Elements::at(const EventPlace& place) const {
  const Row& row = trace_->row(place.row);
  // Which one it is of those that begin at its time.
  uint64_t nth = place.index - row.parts[place.part].lower_bound(place.time.ticks);
  for (uint32_t i = 0; i < place.part; ++i) {
    const store::RowPart& part = row.parts[i];
    const Time after = place.time + Duration{1};
    nth += part.lower_bound(after.ticks) - part.lower_bound(place.time.ticks);
  }
  const std::vector<Element> there = beginning_at(place.row, place.time);
  return nth < there.size() ? std::optional(there[nth]) : std::nullopt;
}

std::optional<EventPlace> Elements::place_of(const ElementRef& ref) const {
  const auto own = find(ref);
  if (!own) return std::nullopt;
  const std::vector<Element> there = beginning_at(own->row, own->record.begin);
  const auto at = std::ranges::find(there, own->ref, &Element::ref);
  auto index = static_cast<uint64_t>(at - there.begin());
  EventPlace place{own->record.begin, own->row};
  const Time after = place.time + Duration{1};
  for (const store::RowPart& part : trace_->row(own->row).parts) {
    const uint64_t first = part.lower_bound(place.time.ticks);
    const uint64_t count = part.lower_bound(after.ticks) - first;
    place.index = first + index;
    if (index < count) return place;
    index -= count;
    ++place.part;
  }
  return std::nullopt;
}

std::optional<Element> Elements::neighbour_in_row(const ElementRef& from, Direction direction,
                                                  const std::stop_token& stop) const {
  const auto own = find(from);
  if (!own) return std::nullopt;
  const RowSpan row = {own->row.value(), own->row.value() + 1};
  return neighbour(row, own->ref, direction, stop, [](const Record&) { return true; });
}

std::optional<Element> Elements::neighbour_of_type(const ElementRef& from, Direction direction,
                                                   const std::stop_token& stop) const {
  const auto own = find(from);
  if (!own) return std::nullopt;
  return neighbour(rows_of(from.lane, from.kind), own->ref, direction, stop,
                   [&](const Record& record) { return record.type == from.type; });
}

std::vector<Element> Elements::states_at(LaneId lane, Time time, uint32_t depth_end) const {
  std::vector<Element> states;
  const RowSpan rows = rows_of(lane, RowKind::kState);
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    const Row& row = trace_->row(RowId(i));
    if (row.depth >= depth_end) break;
    trace_->for_each(row, instant(time), [&](const Record& record) {
      if (record.end() <= time && record.begin != time) return true;
      states.push_back(element_of(RowId(i), row, record));
      return false;
    });
  }
  return states;
}

std::optional<Element> Elements::nearest_on(LaneId lane, Time time,
                                            const std::stop_token& stop) const {
  if (auto running = states_at(lane, time, 1); !running.empty()) return running.front();
  for (const RowKind kind : {RowKind::kState, RowKind::kPunctual, RowKind::kVariable}) {
    const RowSpan rows = rows_of(lane, kind);
    const auto any = [](const Record&) { return true; };
    ElementRef from;
    from.begin = time + Duration{1};
    if (auto before = neighbour(rows, from, Direction::kPrevious, stop, any)) return before;
    from.begin = time;
    if (auto after = neighbour(rows, from, Direction::kNext, stop, any)) return after;
  }
  return std::nullopt;
}

std::vector<Element> Elements::parents_of(const Element& element) const {
  const bool is_state = element.ref.kind == RowKind::kState;
  return states_at(element.ref.lane, element.record.begin, is_state ? element.ref.which : ~0U);
}

std::optional<Element> Elements::first_child_of(const Element& state) const {
  std::optional<Element> child;
  if (state.ref.kind != RowKind::kState) return child;
  const RowSpan rows = rows_of(state.ref.lane, RowKind::kState);
  const TimeRange span = span_of(state);
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    const Row& row = trace_->row(RowId(i));
    if (row.depth != state.ref.which + 1) continue;
    trace_->for_each(row, span, [&](const Record& record) {
      if (span.contains(record.begin)) child = element_of(RowId(i), row, record);
      return !child;
    });
  }
  return child;
}

Duration Elements::self_time(const Element& state) const {
  int64_t self = state.record.duration.ticks;
  const RowSpan rows = rows_of(state.ref.lane, RowKind::kState);
  const TimeRange span = {state.record.begin, state.record.end()};
  for (uint32_t i = rows.begin; i < rows.end && !span.is_empty(); ++i) {
    const Row& row = trace_->row(RowId(i));
    if (row.depth == state.ref.which + 1) self -= aggregate::summarize(row, span).busy;
  }
  return {self};
}

Links Elements::links_in(LaneId lane, RowKind kind, TimeRange range, size_t most) const {
  Links links;
  const RowSpan rows = rows_of(lane, kind);
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    const Row& row = trace_->row(RowId(i));
    links.count += aggregate::summarize(row, range).count;
    trace_->for_each(row, range, [&](const Record& record) {
      if (links.links.size() >= most) return false;
      links.links.push_back(element_of(RowId(i), row, record));
      return true;
    });
  }
  return links;
}

Links Elements::links_sent(const Element& element, size_t most) const {
  if (element.is_link()) return {};
  return links_in(element.ref.lane, RowKind::kLinkOut, span_of(element), most);
}

Links Elements::links_received(const Element& element, size_t most) const {
  if (element.is_link()) return {};
  return links_in(element.ref.lane, RowKind::kLinkIn, span_of(element), most);
}

// The innermost state that runs at `time`, or what happens there at that very instant.
std::optional<Element> Elements::met_at(LaneId lane, Time time) const {
  if (auto states = states_at(lane, time); !states.empty()) return states.back();
  const RowSpan rows = rows_of(lane, RowKind::kPunctual);
  for (uint32_t i = rows.begin; i < rows.end; ++i) {
    const auto there = beginning_at(RowId(i), time);
    if (!there.empty()) return there.front();
  }
  return std::nullopt;
}

std::optional<Element> Elements::sender_of(const LinkEnds& link) const {
  return met_at(link.source, link.send);
}

std::optional<Element> Elements::receiver_of(const LinkEnds& link) const {
  return met_at(link.target, link.receive);
}

}  // namespace weft::query
