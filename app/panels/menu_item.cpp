#include "app/panels/menu_item.h"

#include <imgui.h>

#include <string>
#include <vector>

namespace weft::app {

bool menu_item(const KeyMap& keys, const char* title, std::string_view command, bool is_checked,
               bool is_enabled) {
  const std::vector<std::string> chords = keys.chords_of(command);
  // ImGui has them stand close to the longest title.
  const std::string shown = chords.empty() ? "" : "   " + chords.front();
  return ImGui::MenuItem(title, shown.empty() ? nullptr : shown.c_str(), is_checked, is_enabled);
}

}  // namespace weft::app
