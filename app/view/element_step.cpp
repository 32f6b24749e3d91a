#include "app/view/element_step.h"

#include <algorithm>
#include <vector>

#include "app/view/lane_place.h"
#include "core/query/messages/causality.h"

namespace weft::app {
namespace {

using query::Direction;
using query::Element;
using query::Elements;

// To what the link leads, or, where that is nothing, to the link.
std::optional<Element> along(const Elements& elements, const Element& link, bool is_forward) {
  const query::LinkEnds ends = query::ends_of(link);
  auto met = is_forward ? elements.receiver_of(ends) : elements.sender_of(ends);
  return met ? met : link;
}

// The same link, identified by its other end; nullopt if it already is, or if the link lacks that
// end.
std::optional<Element> other_end(const Elements& elements, const Element& link, bool is_forward) {
  const auto kind = is_forward ? store::RowKind::kLinkIn : store::RowKind::kLinkOut;
  if (link.ref.kind == kind || link.ref.peer.is_none()) return std::nullopt;
  const query::LinkEnds ends = query::ends_of(link);
  query::ElementRef ref = link.ref;
  ref.kind = kind;
  ref.lane = link.ref.peer;
  ref.peer = link.ref.lane;
  ref.begin = is_forward ? ends.receive : ends.send;
  return elements.find(ref);
}

StepAnswer follow_link(const Elements& elements, const Element& from, bool is_forward) {
  const auto end_of = [&](const Element& link) {
    const query::LinkEnds ends = query::ends_of(link);
    return is_forward ? ends.receive : ends.send;
  };
  if (from.is_link()) {
    const query::LinkEnds ends = query::ends_of(from);
    auto met = is_forward ? elements.receiver_of(ends) : elements.sender_of(ends);
    return {met ? met : other_end(elements, from, is_forward), end_of(from)};
  }
  const query::Links links =
      is_forward ? elements.links_sent(from, 1) : elements.links_received(from, 1);
  if (links.links.empty()) return {};
  const Element& link = links.links.front();
  return {along(elements, link, is_forward), end_of(link)};
}

std::optional<Element> follow_cause(const Elements& elements, const Element& from,
                                    query::Causal direction) {
  const query::Causality causality(elements);
  constexpr size_t kMost = 1000;  // of which the latest cause is taken
  std::vector<query::EventPlace> next = causality.roots_of(from, direction, kMost).all;
  if (from.is_link() && !next.empty())
    next = causality.next_of(causality.message_at(next.front()), direction, kMost).all;
  return next.empty() ? std::nullopt : elements.at(next.front());
}

// `by`: 1 below, -1 above.
std::optional<Element> step_to_lane(const ElementStepKey& key, const Elements& elements,
                                    const Element& from, ptrdiff_t by,
                                    const std::stop_token& stop) {
  const layout::LaneOrder order =
      layout::arrange_lanes(key.trace->dictionary(), key.trace->rows(), key.lanes->arrangement);
  std::vector<layout::ArrangedLane> lanes = order.pinned;  // as they stand on the screen
  lanes.insert(lanes.end(), order.lanes.begin(), order.lanes.end());
  auto at = std::ranges::find(lanes, from.ref.lane, &layout::ArrangedLane::lane) - lanes.begin();
  const auto end = std::ssize(lanes);
  if (at == end) return std::nullopt;  // hidden
  for (at += by; at >= 0 && at < end && !stop.stop_requested(); at += by) {
    const LaneId lane = lanes[static_cast<size_t>(at)].lane;
    if (auto found = elements.nearest_on(lane, from.record.begin, stop)) return found;
  }
  return std::nullopt;
}

// Where no lane has one in the window, the nearest on the uppermost lane.
std::optional<Element> first_shown(const ElementStepKey& key, const Elements& elements,
                                   const std::stop_token& stop) {
  const layout::LaneOrder order =
      layout::arrange_lanes(key.trace->dictionary(), key.trace->rows(), key.lanes->arrangement);
  std::optional<Element> nearest;
  for (const auto* lanes : {&order.pinned, &order.lanes}) {
    for (const layout::ArrangedLane& each : *lanes) {
      if (stop.stop_requested()) return nearest;
      auto found = elements.nearest_on(each.lane, key.window.begin, stop);
      if (!found) continue;
      if (!nearest) nearest = found;
      if (query::span_of(*found).end <= key.window.begin)
        found = elements.neighbour_in_row(found->ref, Direction::kNext, stop);
      if (found && found->record.begin < key.window.end) return found;
    }
  }
  return nearest;
}

}  // namespace

StepAnswer take_step(const ElementStepKey& key, const std::stop_token& stop) {
  const Elements elements(key.trace);
  if (key.step == ElementStep::kFirst) return {first_shown(key, elements, stop)};
  const auto from = elements.find(key.from);
  if (!from) return {};
  switch (key.step) {
    case ElementStep::kNext:
      return {elements.neighbour_in_row(from->ref, Direction::kNext, stop)};
    case ElementStep::kPrevious:
      return {elements.neighbour_in_row(from->ref, Direction::kPrevious, stop)};
    case ElementStep::kNextOfType:
      return {elements.neighbour_of_type(from->ref, Direction::kNext, stop)};
    case ElementStep::kPreviousOfType:
      return {elements.neighbour_of_type(from->ref, Direction::kPrevious, stop)};
    case ElementStep::kParent: {
      const auto parents = elements.parents_of(*from);
      return {parents.empty() ? std::nullopt : std::optional(parents.back())};
    }
    case ElementStep::kChild:
      return {elements.first_child_of(*from)};
    case ElementStep::kAlongLink:
      return follow_link(elements, *from, /*is_forward=*/true);
    case ElementStep::kBackAlongLink:
      return follow_link(elements, *from, /*is_forward=*/false);
    case ElementStep::kCause:
      return {follow_cause(elements, *from, query::Causal::kCauses)};
    case ElementStep::kEffect:
      return {follow_cause(elements, *from, query::Causal::kEffects)};
    case ElementStep::kLaneBelow:
      return {step_to_lane(key, elements, *from, 1, stop)};
    case ElementStep::kLaneAbove:
      return {step_to_lane(key, elements, *from, -1, stop)};
    case ElementStep::kFirst:
      break;
  }
  return {};
}

StepAnswer answer_step(const ElementStepKey& key, const std::stop_token& stop) {
  StepAnswer answer = take_step(key, stop);
  if (answer.element) {
    answer.place = place_of_lane({key.trace, key.lanes, answer.element->ref.lane});
  }
  return answer;
}

const char* missing_step(const ElementStepKey& key) {
  const bool has_one_end = query::is_link(key.from.kind) && key.from.peer == LaneId::none();
  switch (key.step) {
    case ElementStep::kNext:
      return "there is no next one in this row";
    case ElementStep::kPrevious:
      return "there is no previous one in this row";
    case ElementStep::kNextOfType:
      return "there is no next one of this type on the lane";
    case ElementStep::kPreviousOfType:
      return "there is no previous one of this type on the lane";
    case ElementStep::kParent:
      return "no state is around this one";
    case ElementStep::kChild:
      return "no state is within this one";
    case ElementStep::kAlongLink:
      return has_one_end && key.from.kind == store::RowKind::kLinkOut ? "this link never arrived"
                                                                      : "no link leaves from here";
    case ElementStep::kBackAlongLink:
      return has_one_end && key.from.kind == store::RowKind::kLinkIn
                 ? "where this link comes from is not known"
                 : "no link arrives here";
    case ElementStep::kCause:
      return "no message led here";
    case ElementStep::kEffect:
      return "no message followed from here";
    case ElementStep::kLaneBelow:
      return "no lane below it has events";
    case ElementStep::kLaneAbove:
      return "no lane above it has events";
    case ElementStep::kFirst:
      return "no lane that is shown has events";
  }
  return "";
}

}  // namespace weft::app
