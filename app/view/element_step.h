// Steps from the selected element to another one: requested by commands, found by a worker.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "app/view/view_history.h"
#include "core/layout/lane_order.h"
#include "core/query/element.h"
#include "core/store/trace.h"

namespace weft::app {

enum class ElementStep : uint8_t {
  kNext,  // in its row
  kPrevious,
  kNextOfType,  // on its lane
  kPreviousOfType,
  kParent,
  kChild,
  kAlongLink,  // from a state, to the receiver of its first link; from a link, to its receiver
  kBackAlongLink,
  kCause,      // the latest message among the causes
  kEffect,     // the first message among the effects
  kLaneBelow,  // the same time on the next visible lane with events
  kLaneAbove,
  kFirst,  // in the window, on the uppermost lane that has one; where nothing is selected
};

struct ElementStepKey {
  store::TracePtr trace;
  query::ElementRef from;
  ElementStep step = ElementStep::kNext;
  uint64_t serial = 0;  // distinct for each command
  LaneViewPtr lanes = {};
  TimeRange window = {};  // for kFirst, which needs no `from`
  bool operator==(const ElementStepKey&) const = default;
};

struct StepAnswer {
  std::optional<query::Element> element;
  std::optional<Time> link_end = {};  // of the link followed: when it meets the element
  layout::LanePlace place = {};       // the place of the element's lane
};
StepAnswer answer_step(const ElementStepKey& key, const std::stop_token& stop);

// The same without the place. Worker threads only: touches mapped pages.
StepAnswer take_step(const ElementStepKey& key, const std::stop_token& stop);

// The message to show if a step leads nowhere: "there is no next one in this row".
const char* missing_step(const ElementStepKey& key);

}  // namespace weft::app
