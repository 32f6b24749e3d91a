// Menu items: one that runs a command and shows its title and first key, one that does something
// else, one named by a text from outside, and a submenu. An item that cannot be used is dimmed, and
// says why when it is pointed at. Besides, the menu of a line that can only be copied.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/panels/theme.h"
#include "app/session/key_map.h"

namespace weft::app {

// Returns whether it was chosen. `title` is the program's own text, not a name from outside;
// `obstacle` says why the item cannot be used: the command's own reason (obstacle_to), or a text as
// short; empty: it can.
bool menu_item(const KeyMap& keys, const char* title, std::string_view command,
               bool is_checked = false, std::string_view obstacle = {});
// An item without a command of its own.
bool plain_item(const char* title, std::string_view obstacle, bool is_checked = false);
// Begins a submenu, like ImGui::BeginMenu.
bool begin_menu(const char* title, std::string_view obstacle);
// An item whose text is a name from outside; `id` distinguishes it in its menu.
bool text_item(const Theme& theme, float scale, int id, std::string_view text,
               bool is_checked = false);
// The menu of the line drawn last (a right click): copies it, or all lines of the list. `id`
// distinguishes the line in its list.
void draw_copy_menu(int id, std::string_view line, const std::function<std::string()>& all);

}  // namespace weft::app
