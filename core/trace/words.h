// Variables whose values are words of bits, as buses and registers of hardware have them: what
// counts of them is what they are, not how large. The type of such a variable says so by its group.
#pragma once

#include <string_view>

namespace weft::trace {

inline constexpr std::string_view kWordGroup = "bits";

}  // namespace weft::trace
