#include "app/panels/wrapped_text.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kMarginPx = 8;
constexpr float kPadXPx = 6, kPadYPx = 3;
constexpr float kMostShare = 1.0F / 8;  // of the canvas' height, beyond the first line

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

float draw_corner_note(const PanelInput& input, const Area& canvas, std::string_view note) {
  const float margin = kMarginPx * input.scale;
  const float bottom = canvas.y1 - margin;
  const ImVec2 pad = {kPadXPx * input.scale, kPadYPx * input.scale};
  const float room = canvas.width() - 2 * (margin + pad.x);
  if (note.empty() || room < 4 * ImGui::GetFontSize()) return bottom;
  const std::string text = printable(note);
  auto lines = wrapped(text, room);
  const auto most = static_cast<size_t>(
      std::max(1.0F, kMostShare * canvas.height() / ImGui::GetTextLineHeight()));
  if (lines.size() > most) {  // the last of them is all that follows, and is cut
    lines.resize(most);
    lines.back() =
        std::string_view(text).substr(static_cast<size_t>(lines.back().data() - text.data()));
  }
  float width = 0;
  for (const std::string_view line : lines)
    width = std::max(width, std::min(room, text_width(line)));
  const float height = ImGui::GetTextLineHeight() * static_cast<float>(lines.size());
  const ImVec2 plate = {canvas.x1 - margin - std::ceil(width) - 2 * pad.x,
                        bottom - height - 2 * pad.y};
  const float end = plate.x < canvas.x0 + canvas.width() / 2 ? plate.y - margin : bottom;
  const Area covered = {plate.x, plate.y, canvas.x1 - margin, bottom};
  if (covered.contains(ImGui::GetIO().MousePos)) return end;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(plate, {covered.x1, covered.y1}, input.theme.popup, 3 * input.scale);
  float y = plate.y + pad.y;
  for (const std::string_view line : lines) {
    draw_text(list, {plate.x + pad.x, y}, input.theme.text_dim, line, room + 1);
    y += ImGui::GetTextLineHeight();
  }
  return end;
}

}  // namespace weft::app
