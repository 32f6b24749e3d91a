#include "app/panels/timeline/selected_range.h"

#include <algorithm>
#include <cmath>

#include "app/panels/hairline.h"
#include "app/panels/timeline/selected_lanes.h"

namespace weft::app {
namespace {

// The visible part of the selection: x0 and x1; nullopt if none is.
std::optional<Area> selected_area(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                                  const Area& canvas) {
  const auto& selection = input.trace->selection;
  if (!selection) return std::nullopt;
  const auto x0 = static_cast<float>(std::max(axis.x_from_time(selection->begin), canvas.x0 - 2.0));
  const auto x1 = static_cast<float>(std::min(axis.x_from_time(selection->end), canvas.x1 + 2.0));
  if (x1 <= x0) return std::nullopt;
  // If the selection covers all that is shown, only the ruler shows it: colours stay as they are.
  const bool is_all = x0 <= canvas.x0 + 1 && x1 >= canvas.x1 - 1;
  return Area{x0, ruler.y0, x1, is_all ? ruler.y1 : canvas.y1};
}

void shade(const PanelInput& input, const Area& area) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y0}, {area.x1, area.y1}, input.theme.selection);
  for (const float x : {area.x0, area.x1})
    draw_hairline_down(list, x, area.y0, area.y1, input.theme.accent);
}

// What is beside the selection is dimmed: its own colours stay those of the legend.
void dim_beside(const PanelInput& input, const Area& rows, float x0, float x1) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 veil = faded(input.theme.background, 0.4F);
  const float left = std::clamp(x0, rows.x0, rows.x1), right = std::clamp(x1, rows.x0, rows.x1);
  if (left > rows.x0) list.AddRectFilled({rows.x0, rows.y0}, {left, rows.y1}, veil);
  if (right < rows.x1) list.AddRectFilled({right, rows.y0}, {rows.x1, rows.y1}, veil);
  if (right <= left) return;
  for (const float x : {x0, x1}) draw_hairline_down(list, x, rows.y0, rows.y1, input.theme.accent);
}

// Rows that lie one below the other are one area, with the gaps between their lanes.
void dim_beside_lanes(const PanelInput& input, const SelectedLanes& selected, const LaneBand& band,
                      float x0, float x1) {
  if (!band.content().model) return;
  const Area& area = band.area();
  const double scroll = band.content().scroll();
  const auto y_of = [&](double y) {
    return std::clamp(area.y0 + static_cast<float>(std::floor(y - scroll)), area.y0, area.y1);
  };
  const auto rows =
      band.content().lanes().visible(scroll, scroll + static_cast<double>(area.height()));
  const auto is_selected = [&](const layout::DisplayRow& row) { return selected.has(row.lane); };
  for (auto first = rows.begin(); first != rows.end();) {
    const bool is_of_selection = is_selected(*first);
    const auto end = std::find_if(
        first, rows.end(), [&](const auto& row) { return is_selected(row) != is_of_selection; });
    const layout::DisplayRow& last = *(end - 1);
    const Area place = {area.x0, y_of(first->y), area.x1,
                        y_of(last.y + static_cast<double>(last.height))};
    dim_beside(input, place, is_of_selection ? x0 : area.x1, is_of_selection ? x1 : area.x1);
    first = end;
  }
}

}  // namespace

std::optional<Area> place_selection_length(const PanelInput& input, const TimeAxis& axis,
                                           const Area& ruler, const Area& canvas) {
  const auto selected = selected_area(input, axis, ruler, canvas);
  if (!selected || selected->y1 == ruler.y1) return std::nullopt;
  const ImVec2 size =
      plate_size(length_label(input.trace->selection->length(), *input.trace), input.scale);
  if (size.x >= selected->width()) return std::nullopt;
  const Markers& markers = input.trace->markers;
  const int lines = markers.all().empty() ? 0 : 1;
  const float below = static_cast<float>(lines) * (size.y + 4 * input.scale) + 2 * input.scale;
  const bool has_room = !markers.a() || !markers.b();
  const float y = has_room ? std::floor(ruler.y0 + input.scale / 2) : canvas.y0 + below;
  const float x = (selected->x0 + selected->x1 - size.x) / 2;
  return Area{x, y, x + size.x, y + size.y};
}

void draw_selection(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                    const Area& canvas, std::span<const LaneBand* const> bands) {
  auto selected = selected_area(input, axis, ruler, canvas);
  if (!selected) return;
  const bool is_all = selected->y1 == ruler.y1;
  const SelectedLanes lanes(input);
  if (!is_all && !lanes.are_all()) {
    for (const LaneBand* band : bands)
      dim_beside_lanes(input, lanes, *band, selected->x0, selected->x1);
  } else if (!is_all) {
    dim_beside(input, canvas, selected->x0, selected->x1);
  }
  selected->y1 = ruler.y1;
  shade(input, *selected);
  ImGui::PushFont(input.fonts.small);
  if (const auto plate = place_selection_length(input, axis, ruler, canvas)) {
    draw_on_plate(*ImGui::GetWindowDrawList(), input.theme, {plate->x0, plate->y0},
                  {plate->width(), plate->height()}, input.theme.text,
                  length_label(input.trace->selection->length(), *input.trace), input.scale);
  }
  ImGui::PopFont();
}

}  // namespace weft::app
