// The sheet of keys and mouse of app/chrome.h: what the mouse does, then every command that has
// keys, by what it acts on. Read from the table and the user's keys, so that it is always true.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "app/chrome.h"

namespace weft::app {
namespace {

struct Gesture {
  const char* keys;
  const char* meaning;
};
constexpr Gesture kGestures[] = {
    {"W  S", "zoom in and out, where the pointer is"},
    {"A  D", "move in time"},
    {"←  →", "move in time, or to the next element where one is selected"},
    {"↑  ↓", "scroll the lanes"},
    {"wheel, Ctrl + wheel", "zoom where the pointer is"},
    {"Shift + wheel", "move in time"},
    {"wheel over the lane names", "scroll the lanes"},
    {"Ctrl + Shift + wheel", "height of the rows; over their names, Ctrl will do"},
    {"drag", "move; with Ctrl or the middle button in any mode"},
    {"drag on the ruler", "select a range"},
    {"Shift + drag on the ruler", "zoom to a range"},
    {"Ctrl + drag on the ruler", "move a trace among several"},
    {"drag with the right button", "zoom to a range"},
    {"double click on the ruler", "show the whole trace"},
    {"double click", "zoom to what is there"},
    {"drag to the right in the density", "zoom to that range"},
    {"drag to the left in the density", "show the whole trace"},
    {"arrows in a sequence diagram", "walk along messages, where one is selected"},
    {"drag a name in a sequence diagram", "move the lane"},
    {"arrows, pages, Home, End in a table", "move from row to row"},
    {"Enter, Ctrl + C in a table", "go to what the row names, copy the row"},
    {"drag a tab or •••", "move a panel beside or onto another"},
    {"middle click on a tab", "close the panel"},
};

void title_line(const ChromeInput& input, std::string_view title) {
  ImGui::Spacing();
  ImGui::PushFont(input.fonts.bold);
  show_text(title);
  ImGui::PopFont();
}

// Keys at the left, as wide as `column`, and what they do.
void line(const ChromeInput& input, std::string_view keys, std::string_view meaning, float column) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_text(list, at, input.theme.accent, keys, column - 8 * input.scale);
  draw_text(list, {at.x + column, at.y}, input.theme.text, meaning, width - column);
  ImGui::Dummy({1, ImGui::GetFontSize()});
}

std::string_view group_of(std::string_view command) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kGroups = {
      {{"view.", "Where you look"},
       {"select.", "Selection"},
       {"element.", "Elements"},
       {"lane.", "Lanes"},
       {"row_height", "Lanes"},
       {"panel.", "Panels"},
       {"layout.", "Panels"},
       {"font.", "Size"},
       {"keys.", "Keys"}}};
  for (const auto& [prefix, title] : kGroups) {
    if (command.starts_with(prefix)) return title;
  }
  return "Program and files";
}

void command_lines(const ChromeInput& input, float column) {
  std::vector<std::string_view> done;
  for (const CommandRow& first : command_table()) {
    const std::string_view group = group_of(first.name);
    if (std::ranges::find(done, group) != done.end()) continue;
    done.push_back(group);
    bool has_title = false;
    for (const CommandRow& row : command_table()) {
      if (group_of(row.name) != group) continue;
      std::string keys;
      for (const std::string& chord : input.session.keys.chords_of(row.name)) {
        keys += (keys.empty() ? "" : "   ") + chord;
      }
      if (keys.empty()) continue;
      if (!has_title) title_line(input, group);
      has_title = true;
      line(input, keys, row.title, column);
    }
  }
}

}  // namespace

void draw_help(const ChromeInput& input) {
  if (!input.session.shows_help) return;
  bool is_open = true;
  if (begin_dialog(input, "Keys and mouse", {1120, 680}, &is_open)) {
    const bool is_wide = ImGui::GetContentRegionAvail().x > 900 * input.scale;
    if (ImGui::BeginTable("sheet", is_wide ? 2 : 1)) {
      ImGui::TableSetupColumn("mouse", ImGuiTableColumnFlags_WidthStretch, 0.55F);
      if (is_wide) ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthStretch, 0.45F);
      ImGui::TableNextColumn();
      title_line(input, "Mouse and held keys");
      const float gestures = 245 * input.scale;
      for (const Gesture& gesture : kGestures) line(input, gesture.keys, gesture.meaning, gestures);
      ImGui::TableNextColumn();
      command_lines(input, is_wide ? 160 * input.scale : gestures);
      ImGui::EndTable();
    }
    ImGui::Spacing();
    ImGui::PushTextWrapPos(0);
    show_text(
        "Every command is in the palette (Ctrl+Shift+P). Keys are changed there with 'Bind "
        "keys to a command', or in keys.json in the configuration folder.",
        input.theme.text_dim);
    ImGui::PopTextWrapPos();
  }
  ImGui::End();
  close_with(input, is_open, "help.show");
}

}  // namespace weft::app
