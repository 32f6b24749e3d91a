// The appearance of the workbench: colours, fonts and spacing of both themes, and safe text.
//
// All text from a trace is drawn by show_text() or draw_text(): control characters become visible,
// "%s" and "##" have no meaning, and the text never names a widget.
#pragma once

#include <imgui.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/base/area.h"
#include "app/session/session.h"
#include "core/base/counted.h"

namespace weft::app {

// Colours are 0xAABBGGRR, as ImGui packs them. Dimmed text has a contrast of at least 4.5 to its
// background.
struct Theme {
  ImU32 background;  // behind time axes
  ImU32 gutter;      // left of time axes
  ImU32 header;      // rulers, menu and status bar
  ImU32 border;
  ImU32 grid;
  ImU32 stripe;  // every other lane
  ImU32 text;
  ImU32 text_dim;
  ImU32 accent;     // what the user set: window, selection
  ImU32 selection;  // a translucent fill
  ImU32 shade;      // over what lies outside the window
  ImU32 bars;       // of histograms
  ImU32 bars_hovered;
  ImU32 hit;  // events that pass the filter
  ImU32 crosshair;
  ImU32 warning;
  ImU32 error;
  ImU32 popup;
  ImU32 field;  // text fields on panels and pop-ups
};
const Theme& theme_of(layout::Theme name);

// The colour with its alpha multiplied by `alpha`.
ImU32 faded(ImU32 color, float alpha);
// `share` of a colour mixed with the rest of another; opaque.
ImU32 blended(ImU32 color, ImU32 over, float share);

// Sets ImGui's own colours and spacing to match, at `scale`.
void apply_style(layout::Theme name, float scale);

struct Fonts {
  ImFont* body = nullptr;
  ImFont* small = nullptr;
  ImFont* bold = nullptr;
};
// Fonts and their atlas.
struct FontSet {
  std::unique_ptr<ImFontAtlas> atlas;
  Fonts fonts;  // in the atlas
};
// Makes fonts from DejaVu Sans if it is installed, otherwise from ImGui's built-in font, with the
// wanted letters (letters.h); letters that DejaVu lacks come from a font that has them. Takes 5 to
// 30 ms; callable on any thread.
FontSet make_fonts(float scale, std::span<const ImWchar> letters);

// A button among lines of text, `2 * small_button_air()` higher than these; `title` is ours.
bool small_button(const char* title);
float small_button_air();

void show_text(std::string_view text);
void show_text(std::string_view text, ImU32 color);
// Draws text broken into lines at the right edge of the window.
void show_wrapped(std::string_view text, ImU32 color);
// A name from outside for a title, a badge or a menu: made printable, and cut to `most` letters and
// an ellipsis.
std::string short_name(std::string_view text, size_t most);
// Begins the tooltip of the last widget: above one at the window's bottom, whose neighbours it
// would hide.
void begin_help();
// Begins a tooltip at the pointer: within the area where it has room there, so that what lies
// beside the area stays in sight.
void begin_tooltip_within(const Area& area);
// Shows a tooltip for the last widget when it is pointed at; null: none.
void show_help(const char* help);
// … with its corner at `at`, moved left where the window ends.
void show_help_at(const char* help, ImVec2 at);
// The width of a line in the current font.
float text_width(std::string_view text);
// Draws a line of text, cut with an ellipsis to `max_width`; nothing if not even that fits.
void draw_text(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view text, float max_width);
// The same for text that is already printable and has a known width.
void draw_printable(ImDrawList& list, ImVec2 at, ImU32 color, std::string_view text, float width,
                    float max_width);
// A line of text on a plate, legible over anything below it: plate_size() is its size;
// draw_on_plate() cuts the text with an ellipsis if `size` is narrower.
ImVec2 plate_size(std::string_view text, float scale);
void draw_on_plate(ImDrawList& list, const Theme& theme, ImVec2 at, ImVec2 size, ImU32 color,
                   std::string_view text, float scale);

}  // namespace weft::app
