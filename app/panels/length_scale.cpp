#include "app/panels/length_scale.h"

#include <cmath>

#include "core/layout/length_colors.h"

namespace weft::app {

void draw_length_scale(const PanelInput& input, const Area& canvas, float& bottom) {
  constexpr float kWidthPx = 240, kStripPx = 8;
  constexpr int kPowersBetween = 2;  // of ten, between two lengths that are written
  const layout::LengthColors* colors = input.model ? input.model->palette->lengths() : nullptr;
  const float width = kWidthPx * input.scale, pad = 4 * input.scale;
  if (!colors || canvas.width() < 1.25F * width) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(input.fonts.small);
  const float line = ImGui::GetFontSize();
  const float height = 2 * (line + pad) + kStripPx * input.scale;
  const float left = canvas.x0 + 10 * input.scale, top = bottom - height;
  list.AddRectFilled({left - 2 * pad, top - pad}, {left + width + 2 * pad, bottom + pad},
                     input.theme.popup, pad);
  draw_text(list, {left, top}, input.theme.text, "Colour of states: how long they take", width);

  const float strip = top + line + pad;
  const TimeBase base = input.model->trace->dictionary().time_base;
  for (int i = 0; i < static_cast<int>(width); ++i) {
    const float x = left + static_cast<float>(i);
    const Duration length = colors->length_at(i / static_cast<double>(width));
    list.AddRectFilled({x, strip}, {x + 1, strip + kStripPx * input.scale},
                       render::color_from_rgb(colors->color(length)));
  }
  float free_from = left, free_to = left + width;
  const auto write = [&](Duration length) {
    const std::string text = format_duration(length, base, 2);
    const float wide = ImGui::CalcTextSize(text.c_str()).x;
    const float at = left + static_cast<float>(colors->place_of(length)) * width;
    const float x = std::clamp(std::floor(at - wide / 2), left, left + width - wide);
    if (x < free_from || x + wide > free_to) return;
    draw_text(list, {x, strip + kStripPx * input.scale + 1}, input.theme.text_dim, text, wide + 1);
    const bool is_last = length == colors->to();
    (is_last ? free_to : free_from) = is_last ? x - 2 * pad : x + wide + 2 * pad;
  };
  write(colors->to());
  const auto step = static_cast<int64_t>(std::pow(10, kPowersBetween));
  for (Duration length = colors->from(); length < colors->to(); length.ticks *= step) write(length);
  bottom = top - 3 * pad;
  ImGui::PopFont();
}

}  // namespace weft::app
