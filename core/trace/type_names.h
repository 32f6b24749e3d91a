// Names that tell event types apart in a list. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/trace/model.h"

namespace weft::trace {

// Returns the types' names, in order. Types that share a name get their group appended ("run ·
// net"), or category and group if groups do not differ. O(types).
std::vector<std::string> distinct_names(std::span<const EventType* const> types);

// The key by which types of two traces are matched: name and group.
std::string key_of(const EventType& type);

}  // namespace weft::trace
