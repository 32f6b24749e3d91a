// Letters that texts have and the fonts lack. Fonts are made with those of a few scripts, since
// every letter costs a part of the start; those of other scripts are asked for when a text with
// them is drawn, each once, and Gui makes the fonts anew before the next frame. For the frame
// thread.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft::app {

// What the fonts' picture has room for; letters beyond are drawn as marks.
inline constexpr size_t kMostLetters = 3000;

// Of a text that is being drawn in the current font. About a nanosecond a byte. False: it has some
// that Dear ImGui cannot draw, where it is compiled for 16 bits a letter.
bool note_letters(std::string_view printable);
// Such a text with a box for each of these; they look like damaged ones else.
std::string with_boxes(std::string_view printable);
// As they were asked for; grows.
const std::vector<ImWchar>& wanted_letters();

}  // namespace weft::app
