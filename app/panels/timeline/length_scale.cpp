#include "app/panels/timeline/length_scale.h"

#include <algorithm>
#include <cmath>

#include "app/panels/timeline/time_axis.h"
#include "core/layout/length_colors.h"

namespace weft::app {
namespace {

constexpr float kWidthPx = 240, kStripPx = 8, kPadPx = 4;
constexpr float kShortStripPx = 96;
// The scale with its title takes at most this part of a canvas' height; else it is one line.
constexpr float kMostShare = 1.0F / 12;
constexpr int kPowersBetween = 2;  // of ten, between two lengths that are written

void draw_strip(const layout::LengthColors& colors, const Area& strip) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (int i = 0; i < static_cast<int>(strip.width()); ++i) {
    const float x = strip.x0 + static_cast<float>(i);
    const Duration length = colors.length_at(i / static_cast<double>(strip.width()));
    list.AddRectFilled({x, strip.y0}, {x + 1, strip.y1},
                       render::color_from_rgb(colors.color(length)));
  }
}

// Below the strip: the longest, and from the shortest on what there is room for.
void write_lengths(const PanelInput& input, const layout::LengthColors& colors, const Area& strip) {
  const float gap = 2 * kPadPx * input.scale;
  float free_from = strip.x0, free_to = strip.x1;
  const auto write = [&](Duration length) {
    const std::string text = length_label(length, *input.trace, 2);
    const float wide = text_width(text);
    const float at = strip.x0 + static_cast<float>(colors.place_of(length)) * strip.width();
    const float x = std::clamp(std::floor(at - wide / 2), strip.x0, strip.x1 - wide);
    if (x < free_from || x + wide > free_to) return;
    draw_text(*ImGui::GetWindowDrawList(), {x, strip.y1 + 1}, input.theme.text_dim, text, wide + 1);
    const bool is_last = length == colors.to();
    (is_last ? free_to : free_from) = is_last ? x - gap : x + wide + gap;
  };
  write(colors.to());
  const auto step = static_cast<int64_t>(std::pow(10, kPowersBetween));
  for (Duration length = colors.from(); length < colors.to(); length.ticks *= step) write(length);
}

// | 20 ns [strip] 20 ms |
void draw_one_line(const PanelInput& input, const layout::LengthColors& colors, const Area& canvas,
                   float& bottom) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string from = length_label(colors.from(), *input.trace, 2);
  const std::string to = length_label(colors.to(), *input.trace, 2);
  const float pad = kPadPx * input.scale, from_px = text_width(from), to_px = text_width(to);
  const float line = ImGui::GetFontSize(), strip_px = kShortStripPx * input.scale;
  const float width = from_px + strip_px + to_px + 4 * pad;
  if (canvas.width() < width + 4 * pad) return;
  const float left = canvas.x0 + 2 * pad, top = bottom - line - pad;
  list.AddRectFilled({left, top}, {left + width, bottom}, input.theme.popup, pad);
  const float y = top + pad / 2, strip = left + from_px + 2 * pad;
  draw_text(list, {left + pad, y}, input.theme.text_dim, from, from_px + 1);
  draw_strip(colors, {strip, y + line / 4, strip + strip_px, y + line * 3 / 4});
  draw_text(list, {strip + strip_px + pad, y}, input.theme.text_dim, to, to_px + 1);
  bottom = top - 2 * pad;
}

}  // namespace

void draw_length_scale(const PanelInput& input, const Area& canvas, float& bottom) {
  const layout::LengthColors* colors = input.model ? input.model->palette->lengths() : nullptr;
  if (!colors) return;
  ImGui::PushFont(input.fonts.small);
  const float width = kWidthPx * input.scale, pad = kPadPx * input.scale;
  const float line = ImGui::GetFontSize();
  const float height = 2 * (line + pad) + kStripPx * input.scale;
  if (canvas.width() < 1.25F * width || canvas.height() * kMostShare < height) {
    draw_one_line(input, *colors, canvas, bottom);
  } else {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float left = canvas.x0 + 10 * input.scale, top = bottom - height;
    list.AddRectFilled({left - 2 * pad, top - pad}, {left + width + 2 * pad, bottom + pad},
                       input.theme.popup, pad);
    draw_text(list, {left, top}, input.theme.text, "Colour of states: how long they take", width);
    const float strip = top + line + pad;
    const Area place = {left, strip, left + width, strip + kStripPx * input.scale};
    draw_strip(*colors, place);
    write_lengths(input, *colors, place);
    bottom = top - 3 * pad;
  }
  ImGui::PopFont();
}

}  // namespace weft::app
