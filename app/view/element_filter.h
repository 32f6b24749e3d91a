// Filter expressions of an element: those like it, and those that hang together with it.
#pragma once

#include <string>

#include "core/query/element.h"
#include "core/trace/model.h"

namespace weft::app {

// Of its type; on its lane (of a message: on the one that sends it).
std::string type_filter(const trace::Dictionary& dictionary, const query::ElementRef& element);
std::string lane_filter(const trace::Dictionary& dictionary, const query::ElementRef& element);
// On a lane or, where others lie below it, on these, too.
std::string lane_and_below_filter(const trace::Dictionary& dictionary, LaneId lane);
// The links from one lane to the other; none: those that were never received, or whose sender is
// not known.
std::string pair_filter(const trace::Dictionary& dictionary, LaneId source, LaneId target);

// What led to a message or a state, and what followed from it. Empty of other elements.
std::string cause_filter(const trace::Dictionary& dictionary, const query::ElementRef& element);
std::string effect_filter(const trace::Dictionary& dictionary, const query::ElementRef& element);

}  // namespace weft::app
