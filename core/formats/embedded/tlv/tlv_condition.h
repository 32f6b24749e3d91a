// The condition by which a line of a TLV standard log names its resources, of a type:
//
//   TASK(state==RUNNING && (id<3 || prio!=1)).state=READY
//
// Comparisons of attributes with values, numbers as numbers, joined by && and ||, which goes last.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace weft::formats::tlv {

// Returns an attribute's current value; empty if unknown.
using ValueOf = std::function<std::string_view(std::string_view attribute)>;

// Evaluates a condition; nullopt if it is none.
std::optional<bool> holds(std::string_view condition, const ValueOf& value_of);

}  // namespace weft::formats::tlv
