// How the workbench looks: colours, fonts and spacing of both themes, and safe text.
//
// All text that comes from a trace goes through show_text or draw_text: control characters become
// visible, "%s" and "##" mean nothing, and it never names a widget.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/session/session.h"
#include "core/base/counted.h"

namespace weft::app {

// 0xAABBGGRR, as ImGui packs colours. Dimmed text still has a contrast of 4.5 to its background.
struct Theme {
  ImU32 background;  // of the time axes
  ImU32 gutter;      // left of them
  ImU32 header;      // rulers, menu and status bar
  ImU32 border;
  ImU32 grid;
  ImU32 stripe;  // every other lane
  ImU32 text;
  ImU32 text_dim;
  ImU32 accent;     // what the user set: window, selection
  ImU32 selection;  // a translucent fill
  ImU32 shade;      // over what is not in the window
  ImU32 bars;       // of histograms
  ImU32 bars_hovered;
  ImU32 hit;  // what the filter lets pass
  ImU32 crosshair;
  ImU32 warning;
  ImU32 error;
  ImU32 popup;
  ImU32 field;  // to type in, on panels and pop-ups
};
const Theme& theme_of(ThemeName name);

// A colour with its alpha scaled.
ImU32 faded(ImU32 color, float alpha);
// As much of a colour over another, opaque.
ImU32 blended(ImU32 color, ImU32 over, float share);

// ImGui's own colours and spacing to match, at `scale`.
void apply_style(ThemeName name, float scale);

struct Fonts {
  ImFont* body = nullptr;
  ImFont* small = nullptr;
  ImFont* bold = nullptr;
};
// Fonts and their picture.
struct FontSet {
  std::unique_ptr<ImFontAtlas> atlas;
  Fonts fonts;  // of it
};
// DejaVu Sans where it is installed, else the font within ImGui; with the wanted letters
// (letters.h), those that DejaVu lacks from a font that has them. Takes 5 to 30 ms, any thread's.
FontSet make_fonts(float scale, std::span<const ImWchar> letters);

void show_text(std::string_view text);
void show_text(std::string_view text, ImU32 color);
// The same, broken into lines at the right edge of the window.
void show_wrapped(std::string_view text, ImU32 color);
// A name from outside as one of our words, in a title, a badge or a menu: printable, and of more
// letters than `most` the first ones and an ellipsis.
std::string short_name(std::string_view text, size_t most);
// A tooltip where the last widget is pointed at; null: none.
void show_help(const char* help);
// Of a line in the font that draws it now.
float text_width(std::string_view text);
// Cut with an ellipsis to `max_width`; draws nothing where not even that fits.
void draw_text(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view text, float max_width);
// The same for text that is printable already and whose width is known.
void draw_printable(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view text, float width,
                    float max_width);
// A line of text on a plate, legible over whatever is below it: how large, and drawn; cut with an
// ellipsis where `size` is narrower.
ImVec2 plate_size(std::string_view text, float scale);
void draw_on_plate(ImDrawList& list, const Theme& theme, ImVec2 at, ImVec2 size, ImU32 color,
                   std::string_view text, float scale);

}  // namespace weft::app
