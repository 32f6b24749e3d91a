#include "app/panels/figures/length_bars.h"

#include <algorithm>
#include <cmath>

#include "app/panels/timeline/time_axis.h"
#include "core/layout/length_ticks.h"

namespace weft::app {
namespace {

void draw_lengths(const LengthBars& bars) {
  const auto& [input, area, borders, values, chosen] = bars;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y1}, {area.x1, area.y1 + 1}, input.theme.border);
  const auto width_of = [](std::string_view text) { return double{text_width(text)}; };
  const auto label_of = [&](Duration length) { return length_label(length, *input.trace, 3); };
  for (const layout::LengthTick& tick :
       layout::length_ticks(borders, static_cast<double>(area.width()), label_of, width_of)) {
    const float x = std::round(area.x0 + static_cast<float>(tick.x));
    list.AddRectFilled({x, area.y1}, {x + 1, area.y1 + 4 * input.scale}, input.theme.border);
    const auto label_width = static_cast<float>(width_of(tick.label));
    draw_text(list, {std::round(x - label_width / 2), area.y1 + 4 * input.scale},
              input.theme.text_dim, tick.label, label_width + 1);
  }
}

}  // namespace

std::optional<size_t> draw_length_bars(const LengthBars& bars) {
  const auto& [input, area, borders, values, chosen] = bars;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double most = std::ranges::max(values);
  const float width = area.width() / static_cast<float>(values.size());
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::optional<size_t> hovered;
  for (size_t i = 0; i < values.size() && area.height() > 0; ++i) {
    const float x0 = std::round(area.x0 + static_cast<float>(i) * width);
    const float x1 = std::max(x0 + 1, std::round(area.x0 + static_cast<float>(i + 1) * width) - 1);
    if (ImGui::IsWindowHovered() && Area{x0, area.y0, x1 + 1, area.y1}.contains(mouse)) hovered = i;
    const bool is_marked = hovered == i || chosen == i;
    if (is_marked) list.AddRectFilled({x0, area.y0}, {x1, area.y1}, input.theme.selection);
    if (values[i] <= 0) continue;
    const auto share = static_cast<float>(values[i] / most);
    const float top = std::floor(area.y1 - std::max(1.0F, share * area.height()));
    list.AddRectFilled({x0, top}, {x1, area.y1},
                       is_marked ? input.theme.bars_hovered : input.theme.bars);
  }
  draw_lengths(bars);
  return hovered;
}

}  // namespace weft::app
