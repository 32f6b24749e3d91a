// Items of menus: one that runs a command, with its title and the first of the keys that run it
// too, and one that is a name.
#pragma once

#include <string_view>

#include "app/panels/theme.h"
#include "app/session/key_map.h"

namespace weft::app {

// Whether it was chosen. `title` is one of ours, not a name from outside. Where something is in the
// way it is dimmed, and says what (CommandRow::obstacle).
bool menu_item(const KeyMap& keys, const char* title, std::string_view command,
               bool is_checked = false, std::string_view obstacle = {});
// One whose text is a name from outside; `id` tells it from the others of its menu.
bool text_item(const Theme& theme, float scale, int id, std::string_view text,
               bool is_checked = false);

}  // namespace weft::app
