// Groups that mark the types of hardware variables. While such a variable has no value
// (not-a-number) its lane has a state that says why: undefined, not driven.
#pragma once

#include <string_view>

namespace weft::trace {

// Values are words of bits, as on buses and in registers: identities rather than magnitudes.
inline constexpr std::string_view kWordGroup = "bits";
// Values are numbers.
inline constexpr std::string_view kSignalGroup = "signal";

}  // namespace weft::trace
