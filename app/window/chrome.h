// What surrounds the panels: menu bar, status bar, and the few dialogs. Like panels, it reads the
// session and answers with commands.
#pragma once

#include <array>
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
  Area area;                       // of the whole window
  std::vector<Command>& commands;  // the answer
};

// An error names the command that failed as journals do ("view.compress: …"); people know its
// title.
std::string in_words(const Message& message);

// Both return their height in pixels.
float draw_menu_bar(const ChromeInput& input);
float draw_status_bar(const ChromeInput& input);

// Each draws itself while the session shows it.
void draw_losses(const ChromeInput& input);
void draw_help(const ChromeInput& input);
void draw_messages(const ChromeInput& input);

// A window of ImGui in the middle, no larger than there is room; ends with ImGui::End. Then, where
// the user has closed it, the command that says so.
bool begin_dialog(const ChromeInput& input, const char* title, ImVec2 size, bool* is_open);
// A dialog of a few rows, as high as they are: `at` is where it begins, as a share of the height.
void begin_form(const ChromeInput& input, const char* title, float width, float at, bool* is_open);
// A row of it: a name, and behind `x` its field. True: Enter was pressed there. Escape closes.
bool draw_form_field(const ChromeInput& input, float x, const char* name, const char* hint,
                     std::span<char> text, bool& is_open);
// Buttons, boxes and lists of it, which Tab reaches as it does fields: there Enter and Space press
// them.
bool draw_form_button(const ChromeInput& input, const char* title, ImVec2 size, bool& is_open);
void draw_form_box(const ChromeInput& input, const char* title, bool& value, bool& is_open);
// As wide as ImGui's next item. What was chosen; Up and Down lead to the next one, too.
std::optional<size_t> draw_form_list(const ChromeInput& input, const char* title,
                                     std::span<const std::string> choices, size_t chosen,
                                     bool& is_open);
// The present window: where the area has shrunk it comes along, and shrinks too where it must.
void keep_inside(const Area& area);
void close_with(const ChromeInput& input, bool is_open, const char* command);

// What stands where nothing can be shown: how to open a trace, that one is loading, why one failed.
void draw_welcome(const ChromeInput& input, const Area& area);

}  // namespace weft::app
