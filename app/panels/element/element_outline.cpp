#include "app/panels/element/element_outline.h"

#include <algorithm>
#include <cmath>

namespace weft::app {
namespace {

using store::RowKind;

bool holds(const store::Row& row, const query::ElementRef& element) {
  if (row.kind != element.kind) return false;
  if (row.kind == RowKind::kState) return row.depth == element.which;
  return row.kind != RowKind::kVariable || row.variable.value() == element.which;
}

}  // namespace

std::optional<RowPlace> row_place(const store::Trace& trace, const layout::Lanes& lanes,
                                  const query::ElementRef& element) {
  const auto rows = lanes.rows();
  const layout::DisplayRow* line = lanes.line_of(element.lane);
  if (!line) return std::nullopt;
  if (line->kind == layout::DisplayRow::Kind::kSummary) return RowPlace{line->y, line->height};
  std::optional<RowPlace> of_deeper;
  for (; line != rows.data() + rows.size() && line->lane == element.lane; ++line) {
    const RowPlace place = {line->y, line->height};
    const bool is_row = line->kind == layout::DisplayRow::Kind::kRow;
    if (is_row && holds(trace.row(line->row), element)) return place;
    if (line->has_states && holds(trace.row(line->row_of_states()), element)) return place;
    if (line->is_summary() && element.kind == RowKind::kState) of_deeper = place;
  }
  return of_deeper;
}

void draw_element_outline(const PanelInput& input, const TimeAxis& axis, const Area& area,
                          const layout::Lanes& lanes, double scroll_px,
                          const query::ElementRef& element, Duration duration) {
  const auto place = row_place(*input.model->trace, lanes, element);
  if (!place) return;
  constexpr float kLeastPx = 5;  // so that a hair of an element is found, too
  const double begin = std::clamp(axis.x_from_time(element.begin), area.x0 - 8.0, area.x1 + 8.0);
  const double end = std::clamp(axis.x_from_time(element.begin + duration), begin, area.x1 + 8.0);
  const double widen = std::max(0.0, (kLeastPx * input.scale - (end - begin)) / 2);
  const float y = area.y0 + static_cast<float>(place->y - scroll_px);
  const ImVec2 low = {static_cast<float>(std::floor(begin - widen)), std::floor(y)};
  const ImVec2 high = {static_cast<float>(std::ceil(end + widen)), std::ceil(y + place->height)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // Light on dark on light: it stands out on every colour.
  const float px = std::round(std::max(1.0F, input.scale));
  list.PushClipRect({area.x0, area.y0}, {area.x1, area.y1}, true);
  list.AddRect({low.x - px, low.y - px}, {high.x + px, high.y + px}, input.theme.background, 3 * px,
               0, 4 * px);
  list.AddRect({low.x - px, low.y - px}, {high.x + px, high.y + px}, input.theme.text, 3 * px, 0,
               2 * px);
  list.PopClipRect();
}

}  // namespace weft::app
