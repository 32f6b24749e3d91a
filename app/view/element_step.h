// From the selected element to another one: what commands ask for and a worker finds.
#pragma once

#include <cstdint>
#include <memory>
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
  kAlongLink,  // of a state: the receiver of the first link it sends; of a link: its receiver
  kBackAlongLink,
  kCause,      // the message that led here last
  kEffect,     // the first that followed
  kLaneBelow,  // what the next lane that is shown and has events has at that time
  kLaneAbove,
};

struct ElementStepKey {
  std::shared_ptr<const store::Trace> trace;
  query::ElementRef from;
  ElementStep step = ElementStep::kNext;
  uint64_t serial = 0;  // each command's own
  LaneViewPtr lanes = {};
  bool operator==(const ElementStepKey&) const = default;
};

struct StepAnswer {
  std::optional<query::Element> element;
  layout::LanePlace place;  // of its lane
};
StepAnswer answer_step(const ElementStepKey& key, const std::stop_token& stop);

// None where there is no such element. Work for workers: touches mapped pages.
std::optional<query::Element> take_step(const ElementStepKey& key, const std::stop_token& stop);

// As a message: "there is no next one in this row".
const char* missing_step(ElementStep step);

}  // namespace weft::app
