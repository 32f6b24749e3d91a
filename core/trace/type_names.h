// What event types are called where several stand in a list. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/trace/model.h"

namespace weft::trace {

// Their names, in their order. Where several have the same, their group stands behind it ("run ·
// net"), or their category and group where groups do not tell them apart. O(types).
std::vector<std::string> distinct_names(std::span<const EventType* const> types);

// By what types of two traces meet: name and group.
std::string key_of(const EventType& type);

}  // namespace weft::trace
