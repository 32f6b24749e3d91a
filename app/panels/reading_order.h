// Text as it is drawn from left to right: what is written from right to left (Hebrew, Arabic) is
// turned round, with numbers in it as they are and brackets mirrored, and Arabic letters get the
// forms in which they join, by FriBidi (Unicode's annex 9). Lines are those of a workbench that
// reads from left to right: a name in another script within them is turned by itself.
//
// For drawing only: what is copied, written and compared stays in the order in which it is read.
#pragma once

#include <string>
#include <string_view>

namespace weft::app {

// Whether the line may be drawn in another order than it is read in. A nanosecond a byte.
bool may_be_turned(std::string_view utf8);
// The line as it is drawn. Valid UTF-8 without control characters, in and out.
std::string in_drawn_order(std::string_view utf8);

}  // namespace weft::app
