#include "app/panels/menu_item.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

// Whether the item that is drawn next is highlighted, as ImGui will see it.
bool is_next_pointed_at() {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end = {at.x + ImGui::GetContentRegionAvail().x, at.y + ImGui::GetTextLineHeight()};
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, end);
}

// Shows why the item or menu just drawn cannot be used.
void tell(std::string_view obstacle) {
  if (obstacle.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  show_text(obstacle);
  ImGui::EndTooltip();
}

}  // namespace

void offer(const Session& session, const Offered& offered, std::vector<Command>& chosen) {
  const auto& [command, title, is_checked, own_obstacle] = offered;
  const std::string obstacle = own_obstacle           ? *own_obstacle
                               : command.args.empty() ? obstacle_to(command.name, session)
                                                      : "";
  const CommandRow& row = *find_command(command.name);
  const std::string text = title.empty() ? std::string(row.title) : title;
  // A key gives it no arguments but the time under the pointer.
  const bool is_by_key = command.args.empty() || row.wants_time;
  const auto chords = is_by_key ? session.keys.labels_of(command.name) : std::vector<std::string>();
  // ImGui has them stand close to the longest title.
  const std::string shown = chords.empty() ? "" : "   " + chords.front();
  // Dimmed text is hard to read on the highlight.
  const bool is_lit = obstacle.empty() && is_next_pointed_at();
  if (is_lit) ImGui::PushStyleColor(ImGuiCol_TextDisabled, ImGui::GetStyleColorVec4(ImGuiCol_Text));
  if (ImGui::MenuItem(text.c_str(), shown.empty() ? nullptr : shown.c_str(), is_checked,
                      obstacle.empty()))
    chosen.push_back(command);
  if (is_lit) ImGui::PopStyleColor();
  tell(obstacle);
}

bool plain_item(const char* title, std::string_view obstacle, bool is_checked) {
  const bool is_chosen = ImGui::MenuItem(title, nullptr, is_checked, obstacle.empty());
  tell(obstacle);
  return is_chosen;
}

bool begin_menu(const char* title, std::string_view obstacle) {
  const bool is_open = ImGui::BeginMenu(title, obstacle.empty());
  if (!is_open) tell(obstacle);
  return is_open;
}

bool text_item(const Theme& theme, float scale, int id, std::string_view text, bool is_checked) {
  ImGui::PushID(id);
  const std::string name = short_name(text, 60);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = text_width(name);
  const bool is_chosen =
      ImGui::Selectable("##item", is_checked, 0, {std::max(width, 160 * scale), 0});
  draw_text(*ImGui::GetWindowDrawList(), at, theme.text, name, width + 1);
  ImGui::PopID();
  return is_chosen;
}

void draw_copy_menu(int id, std::string_view line, const std::function<std::string()>& all) {
  ImGui::PushID(id);
  if (ImGui::BeginPopupContextItem("copy")) {
    if (plain_item("Copy")) ImGui::SetClipboardText(printable(line, 0).c_str());
    if (plain_item("Copy all lines")) ImGui::SetClipboardText(valid_utf8(all()).c_str());
    ImGui::EndPopup();
  }
  ImGui::PopID();
}

}  // namespace weft::app
