// Why a timeline shows nothing although its trace holds something, and what to do about it: its
// lanes are hidden, or the filter hides whatever is on them.
#pragma once

#include <string>

#include "app/panels/panels.h"

namespace weft::app {

// Empty: something is shown, it is not known yet, or the trace holds no events.
std::string why_lanes_are_empty(const PanelInput& input);

}  // namespace weft::app
