// Variables of hardware, as their types' groups say it. Their lanes have states where they have no
// value (not-a-number): undefined, not driven.
#pragma once

#include <string_view>

namespace weft::trace {

// The values are words of bits, as buses and registers have them: what counts of them is what they
// are, not how large.
inline constexpr std::string_view kWordGroup = "bits";
// They are numbers.
inline constexpr std::string_view kSignalGroup = "signal";

}  // namespace weft::trace
