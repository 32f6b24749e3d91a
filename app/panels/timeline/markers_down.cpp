#include "app/panels/timeline/markers_down.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "app/panels/hairline.h"
#include "app/panels/timeline/marker_layer.h"

namespace weft::app {
namespace {

constexpr float kFlagPx = 5;
constexpr float kLeastShare = 0.45F;  // of that: a single hit

}  // namespace

// Far ones lie just outside.
float MarkersDown::clamped_y(Time time) const {
  return static_cast<float>(std::clamp(y_of_(time), canvas_.y0 - kFarPx, canvas_.y1 + kFarPx));
}

MarkedBand MarkersDown::band() const {
  return {ruler_, canvas_, AxisDirection::kDown, [this](Time time) { return clamped_y(time); },
          [this](float y) { return time_at_(y); }};
}

void MarkersDown::line(float y, ImU32 color) const {
  draw_hairline_across(*ImGui::GetWindowDrawList(), y, ruler_.x1 - kFlagPx * input_.scale,
                       canvas_.x1, color);
}

void MarkersDown::draw() const {
  ImGui::PushFont(input_.fonts.small);
  const Markers& markers = input_.trace->markers;
  float free_from = canvas_.y0;
  const MarkedBand along = band();
  for (const Marker& marker : markers.all()) {
    const Repetitions seen = repetitions_in(marker, shown_);
    const double count =
        std::max(1.0, static_cast<double>(seen.last) - static_cast<double>(seen.first));
    draw_repetitions(input_, along, marker, shown_, static_cast<double>(canvas_.height()) / count);
    draw_marker(marker, free_from);
  }
  draw_difference();
  if (const auto a = markers.a()) draw_cursor(*a, "A");
  if (const auto b = markers.b()) draw_cursor(*b, "B");
  ImGui::PopFont();
}

void MarkersDown::draw_marker(const Marker& marker, float& free_from) const {
  const float y0 = std::floor(clamped_y(marker.range.begin)) + 0.5F;
  const float y1 = std::floor(clamped_y(marker.range.end)) + 0.5F;
  if (y1 < canvas_.y0 || y0 > canvas_.y1) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!marker.range.is_empty()) {
    list.AddRectFilled({canvas_.x0, y0}, {canvas_.x1, y1}, color_of(input_, marker, 22));
    list.AddRectFilled({ruler_.x1 - 4 * input_.scale, y0}, {ruler_.x1, y1},
                       color_of(input_, marker));
    line(y1, color_of(input_, marker, 150));
  }
  line(y0, color_of(input_, marker, 200));
  const float r = kFlagPx * input_.scale;
  list.AddTriangleFilled({ruler_.x1 - 1.6F * r, y0 - r}, {ruler_.x1, y0},
                         {ruler_.x1 - 1.6F * r, y0 + r}, color_of(input_, marker));
  float top = std::max(y0, canvas_.y0) + 2 * input_.scale;
  if (marker.name.empty() || top < free_from) return;
  const std::string name = short_name(marker.name, 80) + (marker.note.empty() ? "" : " …");
  const float pad = 4 * input_.scale;
  const float natural = text_width(name);
  const float width = std::min(natural, canvas_.width() / 2);
  const float height = ImGui::GetFontSize() + 4 * input_.scale;
  top = std::max(free_from, std::min(top, canvas_.y1 - height));  // whole at the lower edge, too
  const float x = canvas_.x0 + 2 * input_.scale;
  list.AddRectFilled({x, top}, {x + width + 2 * pad, top + height}, input_.theme.popup,
                     3 * input_.scale);
  list.AddRectFilled({x, top}, {x + 3 * input_.scale, top + height}, color_of(input_, marker));
  draw_printable(list, {x + 3 * input_.scale + pad / 2, top + 2 * input_.scale}, input_.theme.text,
                 name, natural, width);
  free_from = top + height;
}

// Between the letters of the cursors; beside them where these stand too close.
void MarkersDown::draw_difference() const {
  const std::string text = difference_text(input_);
  if (text.empty()) return;
  const auto [low, high] = std::minmax(*input_.trace->markers.a(), *input_.trace->markers.b());
  const float y0 = std::max(canvas_.y0, clamped_y(low)), y1 = std::min(canvas_.y1, clamped_y(high));
  if (y1 < canvas_.y0 || y0 > canvas_.y1) return;
  const ImVec2 size = plate_size(text, input_.scale);
  const float half = kLetterPx / 2 * input_.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = ruler_.x1 - 2 * half;
  draw_hairline_down(list, x, y0, y1, input_.theme.warning);
  const bool has_room = y1 - y0 >= size.y + 2 * half;
  const float y = has_room ? (y0 + y1 - size.y) / 2 : y1 + half + 2 * input_.scale;
  const float top = std::clamp(y, canvas_.y0, std::max(canvas_.y0, canvas_.y1 - size.y));
  draw_on_plate(list, input_.theme, {std::max(ruler_.x0, ruler_.x1 - size.x), top}, size,
                input_.theme.text, text, input_.scale);
}

void MarkersDown::draw_cursor(Time time, const char* letter) const {
  const double place = y_of_(time);
  if (place < canvas_.y0 - 1.0 || place > canvas_.y1 + 1.0) return;
  const float y = std::floor(static_cast<float>(place)) + 0.5F;
  line(y, input_.theme.warning);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float half = kLetterPx / 2 * input_.scale;
  const float x = ruler_.x1 - 2 * half;
  list.AddRectFilled({x - half, y - half}, {x + half, y + half}, input_.theme.warning,
                     3 * input_.scale);
  const ImVec2 size = ImGui::CalcTextSize(letter);
  list.AddText({std::floor(x - size.x / 2), std::floor(y - size.y / 2)}, input_.theme.background,
               letter);
}

void MarkersDown::draw_hits(const HitBins& bins) const {
  uint64_t most = 0;
  for (size_t i = 0; i < bins.count; ++i) most = std::max(most, bins.hits(i));
  if (most == 0) return;
  const auto weight = [](uint64_t hits) { return static_cast<float>(std::bit_width(hits)); };
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_hovered = ImGui::IsWindowHovered() && ruler_.contains(mouse) &&
                          mouse.x >= ruler_.x1 - kHitsPx * input_.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  uint64_t pointed = 0;
  for (size_t i = 0; i < bins.count; ++i) {
    const uint64_t hits = bins.hits(i);
    if (hits == 0) continue;
    const TimeRange range = bins.range(i);
    const float y0 = std::floor(clamped_y(range.begin));
    const float y1 = std::max(y0 + 1, std::floor(clamped_y(range.end)));
    if (y1 < ruler_.y0 || y0 > ruler_.y1) continue;
    const float rise = most > 1 ? (weight(hits) - 1) / std::max(1.0F, weight(most) - 1) : 1;
    const float width = std::round(kHitsPx * input_.scale * std::lerp(kLeastShare, 1.0F, rise));
    list.AddRectFilled({ruler_.x1 - width, y0}, {ruler_.x1, y1}, input_.theme.hit);
    if (is_hovered && mouse.y >= y0 - 2 && mouse.y < y1 + 2) pointed += hits;
  }
  if (pointed == 0) return;
  ImGui::BeginTooltip();
  show_text(counted(pointed, "hit"));
  ImGui::EndTooltip();
}

}  // namespace weft::app
