// Letters that texts need and the fonts lack. Fonts are made with the letters of a few scripts,
// since every letter costs start-up time. A letter of another script is requested once, when a text
// with it is drawn, and Gui remakes the fonts before a later frame. Frame thread only.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft::app {

// The room for letters in the font atlas; letters beyond it are drawn as marks.
inline constexpr size_t kMostLetters = 3000;

// Requests the missing letters of a text that is drawn in the current font. About a nanosecond a
// byte. False: the text has letters that Dear ImGui, compiled for 16-bit letters, cannot draw.
bool note_letters(std::string_view printable);
// Such a text with a box in place of each of these letters; otherwise they would look like damaged
// ones.
std::string with_boxes(std::string_view printable);
// The requested letters in the order of the requests; the list only grows.
const std::vector<ImWchar>& wanted_letters();

}  // namespace weft::app
