// Number syntax of Pajé and pj_dump, and the meaning of container types.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"
#include "core/trace/model.h"

namespace weft::formats::paje {

// Seconds, to the nearest nanosecond.
std::optional<Time> parse_seconds(std::string_view text);

// Pajé does not say whether a container is a process; the name of its type often does.
trace::LaneKind lane_kind(std::string_view type);

}  // namespace weft::formats::paje
