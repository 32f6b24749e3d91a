// Menu items: one that runs a command and shows its title and first key, one that does something
// else, one named by a text from outside, and a submenu. An item that cannot be used is dimmed, and
// says why when it is pointed at. Besides, the menu of a line that can only be copied.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/theme.h"
#include "app/session/commands.h"

namespace weft::app {

struct Offered {
  Command command;
  std::string title = {};  // the program's own text, not a name from outside; empty: the command's
  bool is_checked = false;
  // Why it cannot be used; empty: it can. None: what is in the command's own way (obstacle_to), if
  // it has no arguments that name what it is about.
  std::optional<std::string> obstacle = {};
};
// An item that adds its command to `chosen` when it is chosen.
void offer(const Session& session, const Offered& offered, std::vector<Command>& chosen);
// An item without a command of its own; returns whether it was chosen.
bool plain_item(const char* title, std::string_view obstacle = {}, bool is_checked = false);
// Begins a submenu, like ImGui::BeginMenu.
bool begin_menu(const char* title, std::string_view obstacle);
// An item whose text is a name from outside; `id` distinguishes it in its menu.
bool text_item(const Theme& theme, float scale, int id, std::string_view text,
               bool is_checked = false);
// The menu of the line drawn last (a right click): copies it, or all lines of the list. `id`
// distinguishes the line in its list.
void draw_copy_menu(int id, std::string_view line, const std::function<std::string()>& all);

}  // namespace weft::app
