// The parts of the window around the panels: menu bar, status bar, and some dialogs. Like panels,
// it reads the session and answers with commands.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/theme.h"
#include "app/session/commands.h"
#include "app/session/session.h"

namespace weft::app {

struct ChromeInput {
  const Session& session;
  const Theme& theme;
  const Fonts& fonts;
  float scale;
  Area area;                       // the whole window
  std::vector<Command>& commands;  // output
  // Where the pointer was last over a time axis, be it above a menu now.
  std::optional<Hover> pointed = {};
};

// The text of a message for people: an error names the failed command by its title instead of its
// name ("view.compress: …").
std::string in_words(const Message& message);

// What is said instead of the progress once loading can no longer be cancelled: "Stopping…",
// "Putting in order: 40 %". Empty: it can be.
std::string end_of_loading(const Opening& opening);

// Both return their heights in pixels.
float draw_menu_bar(const ChromeInput& input);
float draw_status_bar(const ChromeInput& input);

// Each is drawn only while the session shows it.
void draw_help(const ChromeInput& input);
void draw_messages(const ChromeInput& input);

// Begins an ImGui window in the middle, no larger than there is room; end it by ImGui::End(), then
// call close_with(), which runs the closing command if the user has closed it.
bool begin_dialog(const ChromeInput& input, const char* title, ImVec2 size, bool* is_open);
// Begins a dialog of a few rows, as high as they are; `at` is its top, as a share of the height.
void begin_form(const ChromeInput& input, const char* title, float width, float at, bool* is_open);
// A row of a form: a name and, from `x` on, its field. Returns true if Enter was pressed in it.
// Escape closes the form.
bool draw_form_field(const ChromeInput& input, float x, const char* name, const char* hint,
                     std::span<char> text, bool& is_open);
// Buttons, boxes and lists of a form, which Tab reaches like fields; Enter and Space press them.
bool draw_form_button(const ChromeInput& input, const char* title, ImVec2 size, bool& is_open);
void draw_form_box(const ChromeInput& input, const char* title, bool& value, bool& is_open);
// A list as wide as ImGui's next item. Returns the item that was chosen; Up and Down choose the
// next one, too.
std::optional<size_t> draw_form_list(const ChromeInput& input, const char* title,
                                     std::span<const std::string> choices, size_t chosen,
                                     bool& is_open);
// Keeps the current window inside the area when that shrinks: moves it, and shrinks it if it must.
void keep_inside(const Area& area);
void close_with(const ChromeInput& input, bool is_open, const char* command);

// Shown while there is no trace: how to open one, that one is loading, or why one failed.
void draw_welcome(const ChromeInput& input, const Area& area);

}  // namespace weft::app
