#include "app/panels/timeline/length_scale.h"

#include <cmath>

#include "app/panels/timeline/time_axis.h"
#include "core/layout/length_colors.h"

namespace weft::app {
namespace {

constexpr float kStripPx = 160, kMarginPx = 10, kPadPx = 6;
constexpr const char* kTitle = "Colour of states: how long they take";

void draw_strip(const layout::LengthColors& colors, const Area& strip) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (int i = 0; i < static_cast<int>(strip.width()); ++i) {
    const float x = strip.x0 + static_cast<float>(i);
    const Duration length = colors.length_at(i / static_cast<double>(strip.width()));
    list.AddRectFilled({x, strip.y0}, {x + 1, strip.y1},
                       render::color_from_rgb(colors.color(length)));
  }
}

}  // namespace

bool has_length_scale(const PanelInput& input) {
  return input.model && input.model->palette->lengths() != nullptr;
}

float draw_length_scale(const PanelInput& input, const Area& line) {
  if (!has_length_scale(input)) return line.x0;
  const layout::LengthColors& colors = *input.model->palette->lengths();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({line.x0, line.y0}, {line.x1, line.y1}, input.theme.header);
  ImGui::PushFont(input.fonts.small);
  const float pad = kPadPx * input.scale, height = ImGui::GetFontSize();
  const float y = std::round((line.y0 + line.y1 - height) / 2);
  float x = line.x0 + kMarginPx * input.scale;
  const auto write = [&](const std::string& text, ImU32 color) {
    const float wide = text_width(text);
    draw_text(list, {x, y}, color, text, wide + 1);
    x += wide + pad;
  };
  const std::string from = length_label(colors.from(), *input.trace, 2);
  const std::string to = length_label(colors.to(), *input.trace, 2);
  const float strip = std::round(kStripPx * input.scale);
  const float wide = text_width(from) + text_width(to) + strip + 3 * pad;
  if (x + text_width(kTitle) + wide < line.x1) write(kTitle, input.theme.text);
  if (x + wide < line.x1) {
    write(from, input.theme.text_dim);
    draw_strip(colors, {x, y + std::round(height / 4), x + strip, y + std::round(height * 3 / 4)});
    x += strip + pad;
    write(to, input.theme.text_dim);
  }
  ImGui::PopFont();
  return x;
}

}  // namespace weft::app
