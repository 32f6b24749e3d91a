// Single elements of a trace: stable references to them, and what relates to an element: its
// neighbours, the states around it, the links that leave and reach it.
//
// An ElementRef is a plain value that stays valid while the trace is open, even as it grows, rows
// shift and depths are provisional. Elements answers queries; it is made in O(rows) and touches
// mapped pages: use it on workers.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/query/link_ends.h"
#include "core/query/search.h"
#include "core/store/trace.h"

namespace weft::query {

struct ElementRef {
  LaneId lane;  // links: of the end that names it
  store::RowKind kind = store::RowKind::kState;
  uint32_t which = 0;  // states: depth, a hint; variables: the type of the row
  Time begin;          // links: of the end that names it
  EventTypeId type;
  LaneId peer = LaneId::none();  // links
  Duration duration;             // links: receive - send; states: as last seen, a hint
  uint32_t nth = 0;              // index among the row's elements that are equal but for hints

  bool operator==(const ElementRef&) const = default;
};

struct Element {
  RowId row = RowId::none();
  store::Record record;
  ElementRef ref;

  bool is_link() const { return query::is_link(ref.kind); }
};

inline LinkEnds ends_of(const Element& link) {
  return ends_of(link.ref.kind, link.ref.lane, link.record);
}

struct Links {
  std::vector<Element> links;  // the first few, in order of time
  uint64_t count = 0;          // of all links
};

// Returns the time in which an element runs; one tick for instants and states without length.
TimeRange span_of(const Element& element);

enum class Direction : uint8_t { kNext, kPrevious };

class Elements {
 public:
  explicit Elements(store::TracePtr trace);
  const store::TracePtr& trace() const { return trace_; }

  // Finds a referenced element. O(log n), plus the elements that begin at the same time.
  std::optional<Element> find(const ElementRef& ref) const;

  // Returns the element at a place found by a search in this very trace, and the place of a
  // referenced element.
  std::optional<Element> at(const EventPlace& place) const;
  std::optional<EventPlace> place_of(const ElementRef& ref) const;

  // Returns the nearest element that begins after (before) `from`: in its row, or of its type on
  // its lane at any depth. Reads everything in between; nullopt if there is none or if stopped.
  std::optional<Element> neighbour_in_row(const ElementRef& from, Direction direction,
                                          const std::stop_token& stop = {}) const;
  std::optional<Element> neighbour_of_type(const ElementRef& from, Direction direction,
                                           const std::stop_token& stop = {}) const;

  // Returns the lane's states at depths below `depth_end` that run at `time`, outermost first.
  std::vector<Element> states_at(LaneId lane, Time time, uint32_t depth_end = ~0U) const;
  // Returns what the lane shows at `time`: the outermost state that runs; else the last element
  // that began before, else the first that begins after, of states, then punctual events, then
  // samples.
  std::optional<Element> nearest_on(LaneId lane, Time time, const std::stop_token& stop) const;
  // Returns the states around the element, for a state those of lesser depth.
  std::vector<Element> parents_of(const Element& element) const;
  // Returns the first state one level deeper that begins while `state` runs.
  std::optional<Element> first_child_of(const Element& state) const;
  // Returns the time of a state not covered by states one level deeper. O(log n).
  Duration self_time(const Element& state) const;

  // Links that leave or reach the element's lane while it runs, or at its instant; empty for links.
  Links links_sent(const Element& element, size_t most) const;
  Links links_received(const Element& element, size_t most) const;
  // Returns what a link's end meets on its lane: the innermost state, or a punctual event at
  // exactly that time. nullopt if there is neither or the end is missing.
  std::optional<Element> sender_of(const LinkEnds& link) const;
  std::optional<Element> receiver_of(const LinkEnds& link) const;

  // A lane's rows of one kind.
  store::RowSpan rows_of(LaneId lane, store::RowKind kind) const;
  // Returns the elements of the row that begin at `time`, in order, with `nth` set.
  std::vector<Element> beginning_at(RowId row, Time time) const;

 private:
  template <class Predicate>
  std::optional<Element> neighbour(store::RowSpan rows, const ElementRef& from, Direction direction,
                                   const std::stop_token& stop, Predicate is_wanted) const;
  Links links_in(LaneId lane, store::RowKind kind, TimeRange range, size_t most) const;
  std::optional<Element> met_at(LaneId lane, Time time) const;

  store::TracePtr trace_;
  std::vector<store::RowSpan> rows_of_lane_;
};

}  // namespace weft::query
