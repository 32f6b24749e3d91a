// An item of a menu that runs a command: its title, and the first of the keys that run it too.
#pragma once

#include <string_view>

#include "app/session/key_map.h"

namespace weft::app {

// Whether it was chosen. `title` is one of ours, not a name from outside. Where something is in the
// way it is dimmed, and says what (CommandRow::obstacle).
bool menu_item(const KeyMap& keys, const char* title, std::string_view command,
               bool is_checked = false, std::string_view obstacle = {});

}  // namespace weft::app
