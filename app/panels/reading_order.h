// Puts text into the order in which it is drawn from left to right: right-to-left text (Hebrew,
// Arabic) is reversed, except for numbers in it, with brackets mirrored, and Arabic letters get
// their joined forms, by FriBidi (Unicode annex 9). Lines are assumed to read from left to right: a
// name in another script within a line is reversed by itself.
//
// For drawing only: text that is copied, written or compared stays in logical order.
#pragma once

#include <string>
#include <string_view>

namespace weft::app {

// Whether the drawn order of the line may differ from its logical order. A nanosecond a byte.
bool may_be_turned(std::string_view utf8);
// The line in its drawn order. Valid UTF-8 without control characters, in and out.
std::string in_drawn_order(std::string_view utf8);

}  // namespace weft::app
