// Single elements of a trace: a name for one that lasts, what it is, and what hangs together with
// it: its neighbours, the states around it, the links that leave and reach it.
//
// An ElementRef is a plain value: it holds for as long as the trace is open, also while it grows,
// where rows shift and depths are provisional. Elements answers the questions; it is made in
// O(rows), and touches mapped pages: work for workers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/query/messages/link_ends.h"
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
  uint32_t nth = 0;              // among those of the row that are equal in all but hints

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
  std::vector<Element> links;  // the first of them, in order of time
  uint64_t count = 0;          // of all
};

// While an element runs; an instant, and a state without length, is one tick.
TimeRange span_of(const Element& element);

enum class Direction : uint8_t { kNext, kPrevious };

class Elements {
 public:
  explicit Elements(std::shared_ptr<const store::Trace> trace);
  const std::shared_ptr<const store::Trace>& trace() const { return trace_; }

  // O(log n), and a look at what begins at the same time.
  std::optional<Element> find(const ElementRef& ref) const;

  // The element that a search has found; a place of this very trace.
  std::optional<Element> at(const EventPlace& place) const;

  // The nearest element that begins after (before) it: in its row, or, of its type, on its lane at
  // any depth. Reads what lies between; none where there is none, or where it was stopped.
  std::optional<Element> neighbour_in_row(const ElementRef& from, Direction direction,
                                          const std::stop_token& stop = {}) const;
  std::optional<Element> neighbour_of_type(const ElementRef& from, Direction direction,
                                           const std::stop_token& stop = {}) const;

  // The states of the lane at depths below `depth_end` that run at `time`, outermost first.
  std::vector<Element> states_at(LaneId lane, Time time, uint32_t depth_end = ~0U) const;
  // What the lane has at a time: the outermost state that runs there; else what began last before,
  // else what begins first after it: of states, then of punctual events, then of samples.
  std::optional<Element> nearest_on(LaneId lane, Time time, const std::stop_token& stop = {}) const;
  // Those around the element: of states, the shallower ones.
  std::vector<Element> parents_of(const Element& element) const;
  // The first state of the next depth that begins while it runs.
  std::optional<Element> first_child_of(const Element& state) const;
  // The ticks of a state in which no state of the next depth runs. O(log n).
  Duration self_time(const Element& state) const;

  // Links that leave or reach its lane while it runs, or at its instant; of a link: none.
  Links links_sent(const Element& element, size_t most) const;
  Links links_received(const Element& element, size_t most) const;
  // What a link's end meets on its lane: the innermost state there, or a punctual event at that
  // very time. None where there is neither, or the end is missing.
  std::optional<Element> sender_of(const LinkEnds& link) const;
  std::optional<Element> receiver_of(const LinkEnds& link) const;

  // Rows [begin, end) of the trace: those of a lane that are of one kind.
  struct Rows {
    uint32_t begin = 0, end = 0;
  };
  Rows rows_of(LaneId lane, store::RowKind kind) const;
  // What begins at `time` in the row, in order, with `nth` counted.
  std::vector<Element> beginning_at(RowId row, Time time) const;

 private:
  template <class Predicate>
  std::optional<Element> neighbour(Rows rows, const ElementRef& from, Direction direction,
                                   const std::stop_token& stop, Predicate is_wanted) const;
  Links links_in(LaneId lane, store::RowKind kind, TimeRange range, size_t most) const;
  std::optional<Element> met_at(LaneId lane, Time time) const;

  std::shared_ptr<const store::Trace> trace_;
  std::vector<Rows> rows_of_lane_;
};

}  // namespace weft::query
