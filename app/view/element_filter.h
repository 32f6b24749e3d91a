// Filter expressions for an element: events like it, and events that are its causes or effects.
#pragma once

#include <string>

#include "core/query/element.h"
#include "core/trace/model.h"

namespace weft::app {

// Events of its type; events on its lane (for a message: on the lane that sends it).
std::string type_filter(const trace::Dictionary& dictionary, const query::ElementRef& element);
std::string lane_filter(const trace::Dictionary& dictionary, const query::ElementRef& element);
// Events on a lane and, if it has any, on the lanes below it.
std::string lane_and_below_filter(const trace::Dictionary& dictionary, LaneId lane);
// Links from `source` to `target`. LaneId::none() as `target`: links that were never received; as
// `source`: links from an unknown sender.
std::string pair_filter(const trace::Dictionary& dictionary, LaneId source, LaneId target);

// The causes, or the effects, of a message or a state. Empty for other elements.
std::string cause_filter(const trace::Dictionary& dictionary, const query::ElementRef& element);
std::string effect_filter(const trace::Dictionary& dictionary, const query::ElementRef& element);

}  // namespace weft::app
