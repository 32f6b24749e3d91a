#include "app/panels/timeline/range_drag.h"

#include <algorithm>
#include <cmath>

#include "app/panels/drag.h"
#include "app/panels/timeline/time_axis.h"

namespace weft::app {
namespace {

constexpr double kZoomPerClick = 2;
constexpr double kRowsPerClick = 1.25;
constexpr double kPxPerDoubling = 100;  // of the height of rows

std::optional<RangeDrag::Purpose> purpose_of(const PanelInput& input, bool is_on_ruler, bool shift,
                                             int button) {
  using Purpose = RangeDrag::Purpose;
  if (button == ImGuiMouseButton_Right) return Purpose::kZoomIn;
  if (ImGui::GetIO().KeyCtrl && !is_on_ruler) return std::nullopt;  // moves the view
  if (is_on_ruler) return shift ? Purpose::kZoomIn : Purpose::kSelect;
  if (shift) return Purpose::kSelectWithLanes;
  switch (input.session.mouse_mode) {
    case MouseMode::kDrag:
      return std::nullopt;
    case MouseMode::kSelect:
      return Purpose::kSelectWithLanes;
    case MouseMode::kTimeZoomIn:
      return Purpose::kZoomIn;
    case MouseMode::kTimeZoomOut:
      return Purpose::kZoomOut;
    case MouseMode::kHeightZoomIn:
    case MouseMode::kHeightZoomOut:
      return Purpose::kRowHeight;
  }
  return std::nullopt;
}

// The window in which what is shown now fits into the range that was dragged over.
TimeWindow zoomed_out(const TimeWindow& shown, const TimeAxis& axis, TimeRange range) {
  const TimeWindow window = axis.time.fold(shown);
  const double part = std::max(0.01, (axis.x_from_time(range.end) - axis.x_from_time(range.begin)) /
                                         static_cast<double>(axis.width));
  const double begin = window.fraction_from_time(axis.time.fold(range.begin));
  TimeWindow wider = window.panned(-begin / part * window.length);
  wider.length = window.length / part;
  return axis.time.unfold(wider);
}

// The part of the area beside that time.
Area part_of(const Area& area, const TimeAxis& axis, TimeRange range) {
  const auto begin = static_cast<float>(axis.x_from_time(range.begin));
  const auto end = static_cast<float>(axis.x_from_time(range.end));
  if (axis.direction == AxisDirection::kDown) return {area.x0, begin, area.x1, end};
  return {begin, area.y0, end, area.y1};
}

}  // namespace

bool RangeDrag::begin(const PanelInput& input, const TimeAxis& axis, bool is_on_ruler) {
  const ImGuiIO& io = ImGui::GetIO();
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right}) {
    if (!ImGui::IsMouseClicked(button)) continue;
    const auto purpose = purpose_of(input, is_on_ruler, io.KeyShift, button);
    if (!purpose) return false;
    drag_ = Drag{};
    drag_->purpose = *purpose;
    drag_->button = button;
    drag_->is_on_ruler = is_on_ruler;
    drag_->from = io.MousePos;
    drag_->from_time = axis.time_from_x(axis.along(io.MousePos));
    drag_->sign = input.session.mouse_mode == MouseMode::kHeightZoomOut ? -1 : 1;
    drag_->row_height_px = input.session.look.row_height_px;
    drag_->gesture = new_gesture();
    return true;
  }
  return false;
}

TimeRange RangeDrag::range(const TimeAxis& axis, const Area& area) const {
  const float low = axis.along({area.x0, area.y0}), high = axis.along({area.x1, area.y1});
  const Time to = axis.time_from_x(std::clamp(axis.along(ImGui::GetIO().MousePos), low, high));
  const auto [begin, end] = std::minmax(drag_->from_time, to);
  return {begin, std::max(end, begin + Duration{1})};
}

void RangeDrag::follow(const PanelInput& input, const TimeAxis& axis, const Area& area,
                       const std::function<std::vector<LaneId>(float, float)>& lanes_between,
                       PanelOutput& output) {
  clicked_.reset();
  if (!drag_) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_vertical = drag_->purpose == Purpose::kRowHeight;
  const float moved =
      is_vertical ? mouse.y - drag_->from.y : axis.along(mouse) - axis.along(drag_->from);
  drag_->has_moved |= is_drag(moved, input.scale);
  if (drag_->has_moved) move(input, axis, area, lanes_between, output);
  if (ImGui::IsMouseDown(drag_->button)) return;
  const bool ends_double_click = drag_->button == ImGuiMouseButton_Left && was_double_click();
  if (!drag_->has_moved && !ends_double_click) clicked_ = drag_->button;
  finish(input, axis, area, output);
  drag_.reset();
}

void RangeDrag::move(const PanelInput& input, const TimeAxis& axis, const Area& area,
                     const std::function<std::vector<LaneId>(float, float)>& lanes_between,
                     PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const TimeRange dragged = range(axis, area);
  if (drag_->purpose == Purpose::kRowHeight) {
    const double dragged_px = std::fabs(mouse.y - drag_->from.y) / input.scale;
    const double doublings = drag_->sign * dragged_px / kPxPerDoubling;
    const double px = std::round(drag_->row_height_px * std::exp2(doublings));
    if (px != input.session.look.row_height_px) {
      output.commands.push_back({"row_height", {{"px", std::max(1.0, px)}}, drag_->gesture});
    }
  } else if (drag_->purpose == Purpose::kSelect || drag_->purpose == Purpose::kSelectWithLanes) {
    Json args = {{"from", dragged.begin.ticks}, {"to", dragged.end.ticks}};
    std::vector<LaneId> lanes = input.trace->selected_lanes;
    if (drag_->purpose == Purpose::kSelectWithLanes) {
      const float from = axis.across(drag_->from), to = axis.across(mouse);
      lanes = lanes_between(std::min(from, to), std::max(from, to) + 1);
    }
    for (const LaneId lane : lanes) args["lanes"].push_back(lane.value());
    if (input.trace->selection != dragged || input.trace->selected_lanes != lanes) {
      output.commands.push_back({"select.range", std::move(args), drag_->gesture});
    }
  } else {
    const Area part = part_of(area, axis, dragged);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({part.x0, part.y0}, {part.x1, part.y1}, input.theme.selection);
    list.AddRect({part.x0, part.y0}, {part.x1, part.y1}, input.theme.accent);
    const std::string length = length_label(dragged.length(), *input.trace);
    draw_text(list, {part.x0 + 4 * input.scale, part.y0 + 4 * input.scale}, input.theme.text,
              length, area.width());
  }
}

void RangeDrag::finish(const PanelInput& input, const TimeAxis& axis, const Area& area,
                       PanelOutput& output) {
  const TimeWindow& window = input.trace->view().window;
  const bool zooms = drag_->purpose == Purpose::kZoomIn || drag_->purpose == Purpose::kZoomOut;
  if (zooms && drag_->has_moved) {
    const TimeRange dragged = range(axis, area);
    output.commands.push_back(view_set_command(drag_->purpose == Purpose::kZoomIn
                                                   ? TimeWindow::from_range(dragged)
                                                   : zoomed_out(window, axis, dragged)));
    return;
  }
  if (drag_->has_moved || drag_->button != ImGuiMouseButton_Left) return;
  if (zooms && !drag_->is_on_ruler) {
    const double factor = drag_->purpose == Purpose::kZoomIn ? kZoomPerClick : 1 / kZoomPerClick;
    output.commands.push_back(view_set_command(axis.time.unfold(input.trace->zoomed(
        axis.time.fold(window), factor, axis.fraction_from_x(axis.along(drag_->from))))));
  } else if (drag_->purpose == Purpose::kRowHeight) {
    output.commands.push_back(
        {"row_height", {{"factor", drag_->sign > 0 ? kRowsPerClick : 1 / kRowsPerClick}}});
  } else if (drag_->purpose == Purpose::kSelect && input.trace->selection) {
    output.commands.push_back({"select.clear"});
  }
}

}  // namespace weft::app
