#include "app/panels/figures/length_bars.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/timeline/time_axis.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

struct Height {
  double value;
  std::string label;
};

// Round ones up to the highest bar, all written in one way.
std::vector<Height> heights_up_to(double most, bool are_counts) {
  constexpr double kLeastPlain = 1e-3;
  std::vector<Height> heights;
  for (const double value : layout::round_values(most, are_counts)) {
    heights.push_back({value, are_counts           ? format_count(static_cast<uint64_t>(value))
                              : most < kLeastPlain ? fmt::format("{:.1e}", value)
                                                   : fmt::format("{:.3g}", value)});
  }
  return heights;
}

void draw_lengths(const LengthBars& bars) {
  const auto& [input, area, lengths, values, are_counts, chosen] = bars;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y1}, {area.x1, area.y1 + 1}, input.theme.border);
  const auto width_of = [](std::string_view text) { return double{text_width(text)}; };
  std::vector<layout::LengthTick> ticks;
  with_enough_digits([&](int digits) {
    const auto label_of = [&](Duration length) {
      return length_label(length, *input.trace, digits);
    };
    ticks = layout::length_ticks(lengths, label_of, width_of);
    return std::ranges::adjacent_find(ticks, {}, &layout::LengthTick::label) == ticks.end();
  });
  for (const layout::LengthTick& tick : ticks) {
    const float x = std::round(area.x0 + static_cast<float>(tick.x));
    list.AddRectFilled({x, area.y1}, {x + 1, area.y1 + 4 * input.scale}, input.theme.border);
    const auto label_width = static_cast<float>(width_of(tick.label));
    draw_text(list, {std::round(x - label_width / 2), area.y1 + 4 * input.scale},
              input.theme.text_dim, tick.label, label_width + 1);
  }
}

// Lines across, behind the bars. Labels that would touch the one below are left out.
void draw_heights(const LengthBars& bars, double most) {
  const auto& [input, area, lengths, values, are_counts, chosen] = bars;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float free_until = area.y1 + ImGui::GetFontSize();
  for (const auto& [value, label] : heights_up_to(most, are_counts)) {
    const float y = std::floor(area.y1 - static_cast<float>(value / most) * area.height());
    list.AddRectFilled({area.x0, y}, {area.x1, y + 1}, faded(input.theme.border, 0.7F));
    if (y + ImGui::GetFontSize() / 2 > free_until) continue;
    free_until = y - ImGui::GetFontSize() / 2;
    const float width = text_width(label);
    draw_text(list, {area.x0 - width - 6 * input.scale, y - ImGui::GetFontSize() / 2},
              input.theme.text_dim, label, width + 1);
  }
}

}  // namespace

float heights_width(const PanelInput& input, std::span<const double> values, bool are_counts) {
  float width = 0;
  const double most = values.empty() ? 0 : std::ranges::max(values);
  for (const Height& height : heights_up_to(most, are_counts))
    width = std::max(width, text_width(height.label) + 6 * input.scale);
  return std::round(width);
}

std::optional<size_t> draw_length_bars(const LengthBars& bars) {
  const auto& [input, area, lengths, values, are_counts, chosen] = bars;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double most = std::ranges::max(values);
  if (area.height() > 0) draw_heights(bars, most);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::optional<size_t> hovered;
  for (size_t i = 0; i < values.size() && area.height() > 0; ++i) {
    const auto bin = lengths.bin(i);
    const float x0 = std::round(area.x0 + static_cast<float>(bin.x0));
    const float x1 = std::max(x0 + 1, std::round(area.x0 + static_cast<float>(bin.x1)) - 1);
    if (ImGui::IsWindowHovered() && Area{x0, area.y0, x1 + 1, area.y1}.contains(mouse)) hovered = i;
    const bool is_marked = hovered == i || (chosen && chosen->contains(i));
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
