// Items of menus: one that runs a command, with its title and the first of the keys that run it
// too, one that does something else, one that is a name, and a menu within the menu. Where
// something is in the way they are dimmed, and say what where one points at them.
#pragma once

#include <string_view>

#include "app/panels/theme.h"
#include "app/session/key_map.h"

namespace weft::app {

// Whether it was chosen. `title` is one of ours, not a name from outside; `obstacle` is what the
// command's row says (obstacle_to), or as short.
bool menu_item(const KeyMap& keys, const char* title, std::string_view command,
               bool is_checked = false, std::string_view obstacle = {});
// The same without a command of its own.
bool plain_item(const char* title, std::string_view obstacle = {}, bool is_checked = false);
// As ImGui::BeginMenu.
bool begin_menu(const char* title, std::string_view obstacle);
// One whose text is a name from outside; `id` tells it from the others of its menu.
bool text_item(const Theme& theme, float scale, int id, std::string_view text,
               bool is_checked = false);

}  // namespace weft::app
