// The sheet of keys and mouse of app/window/chrome.h: what the mouse does, then every command that
// has keys, by what it acts on. Read from the table and the user's keys, so that it is always true.
//
// It consists of sections, which fill columns from top to bottom: as many columns as fit, all about
// equally long.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/wrapped_text.h"
#include "app/window/chrome.h"

namespace weft::app {
namespace {

constexpr float kSheetPx = 1360;
constexpr float kColumnPx = 400;  // what a line needs
constexpr int kMostColumns = 3;
constexpr float kMostKeysPx = 215;
constexpr float kLeastMeaningPx = 120;  // beside the keys

struct Line {
  std::string keys;
  std::string meaning;
};

struct Section {
  std::string_view title;
  std::vector<Line> lines;
  // Its title and a gap come on top.
  size_t height() const { return lines.size() + 2; }
};

std::vector<Section> sections_of_mouse() {
  return {{"Move and zoom",
           {{"W  S", "Zoom in and out, where the pointer is"},
            {"A  D", "Move in time"},
            {"←  →", "Move in time, or to the next element"},
            {"↑  ↓", "Scroll the lanes"},
            {"wheel, Ctrl+wheel", "Zoom where the pointer is"},
            {"Shift+wheel", "Move in time"},
            {"wheel over the lane names", "Scroll the lanes"},
            {"Ctrl+Shift+wheel", "Height of rows; over names: Ctrl"},
            {"drag", "Move; with Ctrl in any mode"},
            {"drag with the middle button", "Move, in any mode"},
            {"drag with the right button", "Zoom to a range"},
            {"Shift+drag on the ruler", "Zoom to a range"},
            {"double click", "Zoom to what is there"},
            {"double click on the ruler", "Show the whole trace"},
            {"drag to the right in the density", "Zoom to that range"},
            {"drag to the left in the density", "Show the whole trace"}}},
          {"Select and measure",
           {{"click", "Select what is there"},
            {"right click", "What can be done with it, or there"},
            {"drag on the ruler", "Select a range"},
            {"Alt+click", "Set the cursor A"},
            {"Alt+Shift+click", "Set the cursor B"},
            {"drag a flag on the ruler", "Move the marker, or the cursor"},
            {"double click on a flag", "Name the marker"},
            {"Ctrl+click on a lane's name", "Select the lane"},
            {"Shift+click on a lane's name", "Select all from the last selected"},
            {"Ctrl+drag on the ruler", "Move a trace among several"}}},
          {"Lanes, tables and panels",
           {{"drag a lane's name", "Put the lane elsewhere"},
            {"arrows in a sequence diagram", "Walk along messages"},
            {"arrows, Home, End in a table", "Move from row to row"},
            {"Enter in a table", "Go to what the row names"},
            {"Ctrl+C in a table", "Copy the row"},
            {"Shift+F10 in a table", "Open the row's menu"},
            {"Tab in a table", "Type into its filters"},
            {"drag a tab or •••", "Put the panel elsewhere"},
            {"middle click on a tab", "Close the panel, or the trace"}}}};
}

std::string_view group_of(std::string_view command) {
  constexpr std::pair<std::string_view, std::string_view> kGroups[] = {
      {"view.", "Where you look"},
      {"bookmark.", "Where you look"},
      {"find.", "Find and filter"},
      {"filter.", "Find and filter"},
      {"losses.", "Find and filter"},
      {"marker.", "Cursors and markers"},
      {"select.", "Elements"},
      {"selection.", "Elements"},
      {"element.", "Elements"},
      {"lane.", "Lanes and links"},
      {"row_height", "Lanes and links"},
      {"links.", "Lanes and links"},
      {"grid.", "Lanes and links"},
      {"states.", "Lanes and links"},
      {"panel.", "Lanes, tables and panels"},
      {"layout.", "Lanes, tables and panels"},
      {"slice.", "Lanes, tables and panels"}};
  for (const auto& [prefix, title] : kGroups) {
    if (command.starts_with(prefix)) return title;
  }
  return "Program and files";
}

// Adds sections in an order that makes columns about equally long.
void add_commands(const ChromeInput& input, std::vector<Section>& sections) {
  for (const std::string_view title :
       {"Where you look", "Elements", "Find and filter", "Lanes and links", "Cursors and markers",
        "Program and files"})
    sections.push_back({title, {}});
  for (const CommandRow& row : command_table()) {
    std::string keys;
    for (const std::string& label : input.session.keys.labels_of(row.name))
      keys += (keys.empty() ? "" : "   ") + label;
    if (keys.empty()) continue;
    const std::string_view group = group_of(row.name);
    const auto section = std::ranges::find(sections, group, &Section::title);
    section->lines.push_back({std::move(keys), std::string(row.title)});
  }
  std::erase_if(sections, [](const Section& section) { return section.lines.empty(); });
}

// The width of the keys of these sections.
float keys_width(const ChromeInput& input, std::span<const Section> sections) {
  float width = 0;
  for (const Section& section : sections) {
    for (const Line& line : section.lines) width = std::max(width, text_width(line.keys));
  }
  return std::min(width, kMostKeysPx * input.scale);
}

// Keys at the left, and what they do; below them, where there is no room beside them.
void draw_section(const ChromeInput& input, const Section& section, float keys, float width) {
  ImGui::Spacing();
  ImGui::PushFont(input.fonts.bold);
  show_text(section.title);
  ImGui::PopFont();
  const float gap = 14 * input.scale;
  const bool is_below = width - keys - gap < kLeastMeaningPx * input.scale;
  const float left = is_below ? gap : keys + gap;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const Line& line : section.lines) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(list, at, input.theme.accent, line.keys, is_below ? width : keys + 1);
    float y = at.y + (is_below ? ImGui::GetFontSize() : 0);
    for (const std::string_view part : wrapped(line.meaning, width - left)) {
      draw_text(list, {at.x + left, y}, input.theme.text, part, width - left);
      y += ImGui::GetFontSize();
    }
    ImGui::Dummy({1, y - at.y});
  }
}

// The columns that it takes where none is higher than this.
std::vector<std::span<const Section>> columns_of(std::span<const Section> sections, size_t most) {
  std::vector<std::span<const Section>> columns;
  size_t begin = 0, height = 0;
  for (size_t i = 0; i < sections.size(); ++i) {
    if (height > 0 && height + sections[i].height() > most) {
      columns.push_back(sections.subspan(begin, i - begin));
      begin = i;
      height = 0;
    }
    height += sections[i].height();
  }
  columns.push_back(sections.subspan(begin));
  return columns;
}

size_t column_count(const ChromeInput& input, float room) {
  return static_cast<size_t>(
      std::clamp(static_cast<int>(room / (kColumnPx * input.scale)), 1, kMostColumns));
}

// The least height in lines at which no more columns are needed.
size_t lines_of(std::span<const Section> sections, size_t columns) {
  size_t most = 0;
  for (const Section& section : sections) most = std::max(most, section.height());
  while (columns_of(sections, most).size() > columns) ++most;
  return most;
}

// In logical pixels: with the line below the columns, so that nothing has to be scrolled where the
// window is high enough and no line is broken.
float sheet_height(const ChromeInput& input, std::span<const Section> sections) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = std::min(kSheetPx * input.scale, input.area.width());
  const size_t lines =
      lines_of(sections, column_count(input, width - 2 * style.WindowPadding.x)) + 2;
  const float px = ImGui::GetFrameHeight() + 2 * style.WindowPadding.y +
                   static_cast<float>(lines) * ImGui::GetTextLineHeightWithSpacing();
  return std::ceil(px / input.scale);
}

// Descriptions begin at the same x in each column.
void draw_columns(const ChromeInput& input, const std::vector<Section>& sections) {
  const size_t count = column_count(input, ImGui::GetContentRegionAvail().x);
  if (!ImGui::BeginTable("sheet", static_cast<int>(count))) return;
  for (const std::span<const Section> column : columns_of(sections, lines_of(sections, count))) {
    ImGui::TableNextColumn();
    const float keys = keys_width(input, column);
    for (const Section& section : column)
      draw_section(input, section, keys, ImGui::GetContentRegionAvail().x);
  }
  ImGui::EndTable();
}

}  // namespace

void draw_help(const ChromeInput& input) {
  if (!input.session.dialogs.shows_help) return;
  bool is_open = true;
  std::vector<Section> sections = sections_of_mouse();
  add_commands(input, sections);
  if (begin_dialog(input, "Keys and mouse", {kSheetPx, sheet_height(input, sections)}, &is_open)) {
    draw_columns(input, sections);
    ImGui::Spacing();
    show_wrapped(
        "Every command is in the palette (Ctrl+Shift+P). Keys are changed there with 'Bind "
        "keys to a command', or in keys.json in the configuration folder.",
        input.theme.text_dim);
  }
  ImGui::End();
  close_with(input, is_open, "help.show");
}

}  // namespace weft::app
