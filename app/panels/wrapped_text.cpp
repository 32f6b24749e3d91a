#include "app/panels/wrapped_text.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kMarginPx = 8;
constexpr float kNoteLinePx = 22;

}  // namespace

std::vector<std::string_view> wrapped(std::string_view text, float width_px) {
  std::vector<std::string_view> lines;
  const ImFont& font = *ImGui::GetFont();
  const float scale = ImGui::GetFontSize() / font.FontSize;
  while (!text.empty()) {
    const char* end =
        font.CalcWordWrapPositionA(scale, text.data(), text.data() + text.size(), width_px);
    const size_t length = std::max<size_t>(1, static_cast<size_t>(end - text.data()));
    lines.push_back(text.substr(0, length));
    text.remove_prefix(
        std::min(text.size(), std::max(length, text.find_first_not_of(' ', length))));
  }
  return lines;
}

void draw_note_line(const PanelInput& input, const Area& line, std::string_view note) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string text = printable(note);
  const float pad = kMarginPx * input.scale, room = line.width() - 2 * pad;
  list.AddRectFilled({line.x0, line.y0}, {line.x1, line.y1}, input.theme.header);
  ImGui::PushFont(input.fonts.small);
  const float width = text_width(text);
  const float y = std::round((line.y0 + line.y1 - ImGui::GetFontSize()) / 2);
  draw_text(list, {std::max(line.x0 + pad, std::floor(line.x1 - pad - width)), y},
            input.theme.text_dim, text, room + 1);
  ImGui::PopFont();
  if (width <= room || !ImGui::IsWindowHovered() || !line.contains(ImGui::GetIO().MousePos)) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(line.width() - 2 * pad);
  show_text(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

float note_line_height(const PanelInput& input) { return std::round(kNoteLinePx * input.scale); }

}  // namespace weft::app
