#include "app/panels/menu_item.h"

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/theme.h"

namespace weft::app {

bool menu_item(const KeyMap& keys, const char* title, std::string_view command, bool is_checked,
               std::string_view obstacle) {
  const std::vector<std::string> chords = keys.chords_of(command);
  // ImGui has them stand close to the longest title.
  const std::string shown = chords.empty() ? "" : "   " + chords.front();
  const bool is_chosen =
      ImGui::MenuItem(title, shown.empty() ? nullptr : shown.c_str(), is_checked, obstacle.empty());
  if (!obstacle.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
    ImGui::BeginTooltip();
    show_text(obstacle);
    ImGui::EndTooltip();
  }
  return is_chosen;
}

}  // namespace weft::app
