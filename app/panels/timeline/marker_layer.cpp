#include "app/panels/timeline/marker_layer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/panels/hairline.h"
#include "app/panels/panel_handle.h"
#include "app/panels/tables/scroll_bar.h"

namespace weft::app {
namespace {

constexpr float kFootPx = 4;        // of a repetition's line, in the ruler
constexpr float kMostNamePx = 160;  // more would cover what is marked

// A line of one pixel at a time, where it is seen.
void draw_line(const TimeAxis& axis, Time time, float y0, float y1, ImU32 color) {
  const double x = axis.x_from_time(time);
  if (x < axis.x0 - 1.0 || x > axis.x0 + axis.width + 1.0) return;
  draw_hairline_down(*ImGui::GetWindowDrawList(), static_cast<float>(x), y0, y1, color);
}

float clamped_x(const TimeAxis& axis, Time time) {
  return static_cast<float>(
      std::clamp(axis.x_from_time(time), axis.x0 - kFarPx, axis.x0 + axis.width + kFarPx));
}

// A name on a plate with a bar of its marker's colour at the line, right of it or, where it is cut
// there, left of it; none where a name before it, which ends at `free_from`, covers the line.
void draw_name(const PanelInput& input, const Marker& marker, float x, const Area& canvas,
               float& free_from) {
  if (marker.name.empty() || x < free_from) return;
  const std::string name = short_name(marker.name, 80) + (marker.note.empty() ? "" : " …");
  const float pad = 4 * input.scale, natural = text_width(name);
  const float end = canvas.x1 - ScrollBar::kWidthPx * input.scale;
  float width = std::min(natural, kMostNamePx * input.scale);
  const float room = end - x - 2 * pad;
  const float room_left = x - std::max(canvas.x0, free_from) - 2 * pad;
  const bool is_left = room < width && room_left > room;
  width = std::min(width, is_left ? room_left : room);
  if (width < std::min(natural, ImGui::GetFontSize())) return;
  const float bar = 3 * input.scale, bar_x = is_left ? x - bar : x;
  if (is_left) x -= width + 2 * pad;
  const float y = canvas.y0 + 2 * input.scale;
  const float height = ImGui::GetFontSize() + 4 * input.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({x, y}, {x + width + 2 * pad, y + height}, input.theme.popup, 3 * input.scale);
  list.AddRectFilled({bar_x, y}, {bar_x + bar, y + height}, color_of(input, marker));
  draw_printable(list, {x + (is_left ? pad / 2 : bar + pad / 2), y + 2 * input.scale},
                 input.theme.text, name, natural, width);
  free_from = x + width + 3 * pad;
}

// A flag that hangs from the ruler.
void draw_flag(const PanelInput& input, const Marker& marker, float x, float ruler_end) {
  const float r = 5 * input.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddTriangleFilled({x - r, ruler_end - 1.6F * r}, {x + r, ruler_end - 1.6F * r},
                         {x, ruler_end}, color_of(input, marker));
}

// Time that is cut out belongs to the visible range, but takes no room.
void draw_repetitions(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                      const Area& canvas, const Marker& marker) {
  draw_repetitions(input, band_across(axis, ruler, canvas), marker,
                   {axis.time_from_x(canvas.x0), axis.time_from_x(canvas.x1)},
                   static_cast<double>(marker.every.ticks) / axis.ticks_per_px());
}

void draw_markers(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                  const Area& canvas) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float free_from = canvas.x0 - 200 * input.scale;
  for (const Marker& marker : input.trace->markers.all()) {
    draw_repetitions(input, axis, ruler, canvas, marker);
    const float x0 = clamped_x(axis, marker.range.begin);
    const float x1 = clamped_x(axis, marker.range.end);
    if (x1 < canvas.x0 || x0 > canvas.x1) continue;
    if (!marker.range.is_empty()) {
      list.AddRectFilled({x0, canvas.y0}, {x1, canvas.y1}, color_of(input, marker, 22));
      list.AddRectFilled({x0, ruler.y1 - 4 * input.scale}, {x1, ruler.y1}, color_of(input, marker));
      draw_line(axis, marker.range.end, ruler.y1, canvas.y1, color_of(input, marker, 150));
    }
    draw_line(axis, marker.range.begin, ruler.y1, canvas.y1, color_of(input, marker, 200));
    draw_flag(input, marker, std::floor(x0) + 0.5F, ruler.y1);
    draw_name(input, marker, std::max(x0, canvas.x0), canvas, free_from);
  }
}

// The ground of a cursor's letter; nothing where it is out of sight.
std::optional<Area> letter_area(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                                std::optional<Time> time) {
  const double place = time ? axis.x_from_time(*time) : -HUGE_VAL;
  if (place < ruler.x0 - 1.0 || place > ruler.x1 + 1.0) return std::nullopt;
  const auto x = static_cast<float>(std::floor(place)) + 0.5F;
  const float half = kLetterPx / 2 * input.scale;
  return Area{x - half, ruler.y0 + input.scale, x + half, ruler.y0 + 2 * half};
}

void draw_cursor(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                 const Area& canvas, std::optional<Time> time, const char* letter) {
  const auto ground = letter_area(input, axis, ruler, time);
  if (!ground) return;
  const float x = (ground->x0 + ground->x1) / 2, middle = ruler.y0 + ground->width() / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_hairline_down(list, x, ground->y1, canvas.y1, input.theme.warning);
  list.AddRectFilled({ground->x0, ground->y0}, {ground->x1, ground->y1}, input.theme.warning,
                     3 * input.scale);
  const ImVec2 size = ImGui::CalcTextSize(letter);
  list.AddText({std::floor(x - size.x / 2), std::floor(middle + input.scale / 2 - size.y / 2)},
               input.theme.background, letter);
}

constexpr std::string_view kDifference = "B − A = ";
constexpr float kClearOfHandlePx = kPanelHandlePx + kPanelHandleMarginPx + 2;

struct Difference {
  std::string text;
  Area plate;    // of the text
  float x0, x1;  // of the line on which it lies
};

// |<- 12.5 ms ->| between the letters of the cursors; at the edge of the view where one of them is
// not seen, beside them where they stand too close; without its name where it has no room else. In
// the ruler: it covers no event. Nothing where both are out of sight.
std::optional<Difference> place_difference(const PanelInput& input, const TimeAxis& axis,
                                           const Area& ruler) {
  std::string text = difference_text(input);
  if (text.empty()) return std::nullopt;
  const auto [low, high] = std::minmax(*input.trace->markers.a(), *input.trace->markers.b());
  const float x0 = std::max(ruler.x0, clamped_x(axis, low));
  const float x1 = std::min(ruler.x1, clamped_x(axis, high));
  if (x1 < ruler.x0 || x0 > ruler.x1) return std::nullopt;
  const float end = ruler.x1 - kClearOfHandlePx * input.scale;
  const float half = kLetterPx / 2 * input.scale;
  const float beside = half + 2 * input.scale;
  ImVec2 size = plate_size(text, input.scale);
  const float room = std::max({std::min(x1, end) - x0 - 2 * beside, end - x1 - beside,
                               std::min(x0, end) - beside - ruler.x0});
  if (size.x > room) {
    text.erase(0, kDifference.size());
    size = plate_size(text, input.scale);
  }
  const float y = std::floor(ruler.y0 + input.scale / 2);
  float left = (x0 + x1 - size.x) / 2;
  if (x1 - x0 < size.x + 2 * beside) left = x1 + beside;
  if (left + size.x > end) left = std::min(x0 - beside, end) - size.x;
  left = std::max(left, ruler.x0);
  return Difference{std::move(text), {left, y, left + size.x, y + size.y}, x0, x1};
}

void draw_difference(const PanelInput& input, const TimeAxis& axis, const Area& ruler) {
  const auto difference = place_difference(input, axis, ruler);
  if (!difference) return;
  const Area& plate = difference->plate;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // Above the labels of the ruler.
  draw_hairline_across(list, ruler.y0 + 2 * input.scale, difference->x0, difference->x1,
                       input.theme.warning);
  draw_on_plate(list, input.theme, {plate.x0, plate.y0}, {plate.width(), plate.height()},
                input.theme.text, difference->text, input.scale);
}

}  // namespace

ImU32 marker_color(const PanelInput& input, size_t index, uint8_t alpha) {
  return render::color_from_rgb(
      layout::seen_as_line(kMarkerColors[index], input.session.look.theme), alpha);
}

ImU32 color_of(const PanelInput& input, const Marker& marker, uint8_t alpha) {
  return marker_color(input, marker.color, alpha);
}

std::string difference_text(const PanelInput& input) {
  const auto a = input.trace->markers.a(), b = input.trace->markers.b();
  if (!a || !b || *a == *b) return {};
  const auto [low, high] = std::minmax(*a, *b);
  return std::string(kDifference) + (*b < *a ? "−" : "") +
         length_label(high - low, *input.trace, 6);
}

void draw_repetitions(const PanelInput& input, const MarkedBand& band, const Marker& marker,
                      TimeRange shown, double period_px) {
  if (marker.every <= Duration{}) return;
  const auto& [ruler, canvas, direction, place, time_at] = band;
  const bool runs_down = direction == AxisDirection::kDown;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto point = [&](float along, float across) {
    return runs_down ? ImVec2{across, along} : ImVec2{along, across};
  };
  const float edge = runs_down ? ruler.x1 : ruler.y1;  // of the ruler, beside the canvas
  const float begin = runs_down ? canvas.x0 : canvas.y0, end = runs_down ? canvas.x1 : canvas.y1;
  const float first = runs_down ? canvas.y0 : canvas.x0, last = runs_down ? canvas.y1 : canvas.x1;
  if (period_px < static_cast<double>(kLeastPeriodPx * input.scale)) {
    list.AddRectFilled(point(first, edge - 2 * input.scale), point(last, edge),
                       color_of(input, marker, 120));
    return;
  }
  const Repetitions seen = repetitions_in(marker, shown);
  const auto most = static_cast<int64_t>(last - first);
  const ImU32 ground = color_of(input, marker, 22), line = color_of(input, marker, 110);
  for (int64_t i = seen.first; i <= seen.last && i - seen.first < most; ++i) {
    if (i == 0) continue;
    const TimeRange range = repetition(marker, i);
    const float at = std::floor(place(range.begin)) + 0.5F;
    if (!range.is_empty()) {
      list.AddRectFilled(point(at, begin), point(place(range.end), end), ground);
    }
    if (at < first - 1 || at > last + 1) continue;
    list.AddRectFilled(point(std::floor(at), edge - kFootPx * input.scale),
                       point(std::floor(at) + 1, end), line);
  }
}

void draw_selected_range(const PanelInput& input, const TimeAxis& axis, const Area& area) {
  const auto& selection = input.trace->selection;
  if (!selection) return;
  const float x0 = clamped_x(axis, selection->begin), x1 = clamped_x(axis, selection->end);
  if (x1 < area.x0 || x0 > area.x1) return;
  ImGui::GetWindowDrawList()->AddRectFilled(
      {std::max(area.x0, x0), area.y0},
      {std::min(area.x1, std::max(std::max(area.x0, x0) + 1, x1)), area.y1}, input.theme.selection);
}

void draw_marker_ticks(const PanelInput& input, const TimeAxis& axis, const Area& area) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float foot = kFootPx * input.scale;
  const Area head = {area.x0, area.y0, area.x1, area.y0 + foot};
  // Ranges reach beyond the window.
  list.PushClipRect({area.x0, area.y0}, {area.x1, area.y1}, /*intersect=*/true);
  for (const Marker& marker : input.trace->markers.all()) {
    draw_repetitions(input, axis, head, area, marker);
    if (!marker.range.is_empty()) {
      list.AddRectFilled({clamped_x(axis, marker.range.begin), area.y0},
                         {clamped_x(axis, marker.range.end), area.y0 + 3 * input.scale},
                         color_of(input, marker));
    }
    draw_line(axis, marker.range.begin, area.y0, area.y1, color_of(input, marker, 220));
  }
  for (const auto cursor : {input.trace->markers.a(), input.trace->markers.b()}) {
    if (cursor) draw_line(axis, *cursor, area.y0, area.y1, input.theme.warning);
  }
  list.PopClipRect();
}

std::vector<Area> areas_over_ruler(const PanelInput& input, const TimeAxis& axis,
                                   const Area& ruler) {
  std::vector<Area> areas;
  if (const auto difference = place_difference(input, axis, ruler))
    areas.push_back(difference->plate);
  for (const auto cursor : {input.trace->markers.a(), input.trace->markers.b()}) {
    if (const auto letter = letter_area(input, axis, ruler, cursor)) areas.push_back(*letter);
  }
  return areas;
}

MarkedBand band_across(const TimeAxis& axis, const Area& ruler, const Area& canvas) {
  return {ruler, canvas, AxisDirection::kRight,
          [&axis](Time time) { return clamped_x(axis, time); },
          [&axis](float x) { return axis.time_from_x(x); }};
}

void draw_marker_layer(const PanelInput& input, const MarkedBand& band, const TimeAxis& axis) {
  const auto& [ruler, canvas, direction, place, time_at] = band;
  ImGui::PushFont(input.fonts.small);
  draw_markers(input, axis, ruler, canvas);
  draw_difference(input, axis, ruler);
  draw_cursor(input, axis, ruler, canvas, input.trace->markers.a(), "A");
  draw_cursor(input, axis, ruler, canvas, input.trace->markers.b(), "B");
  ImGui::PopFont();
}

}  // namespace weft::app
