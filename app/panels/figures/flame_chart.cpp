#include "app/panels/figures/flame_chart.h"

#include <algorithm>
#include <cmath>

#include "app/panels/element/element_outline.h"
#include "app/panels/hairline.h"
#include "app/panels/timeline/cut_marks.h"
#include "app/panels/toolbar.h"
#include "app/session/element_args.h"

namespace weft::app {
namespace {

constexpr float kRulerPx = 22;
constexpr float kMostGutter = 0.3F;  // of the panel

// The lanes with states among the requested ones, and the lanes above them. `order` has parents
// before their children.
std::vector<layout::ArrangedLane> lanes_of_chart(std::span<const layout::ArrangedLane> order,
                                                 const std::vector<bool>& has_states,
                                                 const std::vector<LaneId>& asked) {
  std::vector<bool> is_kept(order.size());
  int asked_depth = -1;  // of the asked lane that we are in; -1: in none
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i].depth <= asked_depth) asked_depth = -1;
    if (asked_depth < 0 && std::ranges::find(asked, order[i].lane) != asked.end()) {
      asked_depth = order[i].depth;
    }
    const uint32_t lane = order[i].lane.value();
    is_kept[i] =
        (asked.empty() || asked_depth >= 0) && lane < has_states.size() && has_states[lane];
  }
  int needed = 0;  // lanes above what is kept are shallower than this
  for (size_t i = order.size(); i-- > 0;) {
    if (is_kept[i] || order[i].depth < needed) {
      is_kept[i] = true;
      needed = order[i].depth;
    }
  }
  std::vector<layout::ArrangedLane> lanes;
  for (size_t i = 0; i < order.size(); ++i) {
    if (is_kept[i]) lanes.push_back(order[i]);
  }
  return lanes;
}

}  // namespace

FlameChart::FlameChart(const PanelServices& services)
    : charts_(make_chart, services.wake),
      details_(make_details, services.wake),
      band_(*services.renderer) {}

TraceModel FlameChart::make_chart(const ChartKey& key) {
  const TraceModel& model = *key.model;
  const trace::Dictionary& dictionary = model.trace->dictionary();
  std::vector<bool> has_states(dictionary.lanes.size());
  for (const store::Row& row : model.trace->rows()) {
    const bool counts = row.kind == store::RowKind::kState && row.count > 0;
    if (counts && row.lane.value() < has_states.size()) has_states[row.lane.value()] = true;
  }
  std::vector<layout::ArrangedLane> order = model.order.pinned;
  order.insert(order.end(), model.order.lanes.begin(), model.order.lanes.end());
  layout::LaneHeights heights = model.heights;
  heights.punctual = heights.variable = 0;
  TraceModel chart;
  chart.trace_id = model.trace_id;
  chart.trace = model.trace;
  chart.view = model.view;
  chart.forest =
      std::make_unique<const layout::LaneForest>(dictionary, model.view->arrangement.groups);
  chart.lanes = build_lanes(chart, lanes_of_chart(order, has_states, key.lanes), heights, 0);
  chart.palette = model.palette;
  return chart;
}

void FlameChart::draw(const PanelInput& input, const Area& area, const Scope& scope, bool is_window,
                      PanelOutput& output) {
  const auto chart = charts_.find({input.model, scope.lanes});
  output.is_stale |= chart.is_stale;
  if (!chart.value || chart.value->trace_id != input.model->trace_id) return;
  if (chart.value->lanes.height() == 0 || scope.range.is_empty()) {
    draw_notice(input, area, nothing_here(input, "states", trace::Category::kState));
    return;
  }
  const float split = area.x0 + std::round(std::min(input.gutter_px, area.width() * kMostGutter));
  const float top = area.y0 + std::round(kRulerPx * input.scale);
  const Area canvas = {split, top, area.x1, area.y1};
  const Area gutter = {area.x0, top, split, area.y1};
  if (canvas.height() < 1 || canvas.width() < 1) return;
  const TimeWindow window = is_window ? input.window : TimeWindow::from_range(scope.range);
  const TimeAxis axis(window, canvas.x0, canvas.x1, input.trace->folded_time());

  const double lowest = chart.value->lanes.height() - static_cast<double>(canvas.height());
  scroll_px_ = std::floor(std::clamp(scroll_px_, 0.0, std::max(0.0, lowest)));
  draw_picture(input, axis, canvas, chart.value, output);

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y0}, {area.x1, top}, input.theme.header);
  const Area ruler = {split, area.y0, area.x1, top};
  list.PushClipRect({ruler.x0, ruler.y0}, {canvas.x1, canvas.y1}, true);
  ImGui::PushFont(input.fonts.small);
  draw_ruler(list, axis_ticks(axis, *input.trace), axis, ruler.y0, ruler.y1, input.theme);
  ImGui::PopFont();
  band_.draw_labels(input);
  if (filter_sign_.update(band_.awaits_filter(), output)) {
    band_.draw_veil(input);
    FilterSign::draw_note(input, canvas);
  }
  draw_cut_marks(input, axis, ruler, canvas);
  if (const auto& element = input.trace->element()) {
    draw_element_outline(input, axis, canvas, chart.value->lanes, scroll_px_, *element,
                         element->duration);
  }
  if (const auto time = input.session.hover_in(*input.trace)) {
    const auto x = static_cast<float>(axis.x_from_time(*time));
    draw_hairline_down(list, x, ruler.y0, canvas.y1, input.theme.crosshair);
  }
  list.PopClipRect();
  draw_hairline_down(list, split - 1, area.y0, area.y1, input.theme.border);
  tree_.draw(input, chart.value->lanes, gutter, scroll_px_, /*value_of=*/{}, output);
  tree_.finish(input, output);
  if (!draw_scroll_bar(input, canvas, chart.value->lanes.height()))
    handle_mouse(input, axis, gutter, is_window, output);
  element_menu_.draw(input, output);
  time_menu_.draw(input, output);
}

void FlameChart::draw_picture(const PanelInput& input, const TimeAxis& axis, const Area& canvas,
                              const std::shared_ptr<const TraceModel>& chart, PanelOutput& output) {
  BandContent content;
  content.model = chart;
  content.filter = input.filter.tiles();
  content.window = axis.window;
  content.cuts = axis.time.cuts();
  content.scroll_px = scroll_px_;
  const bool is_same = band_.place(canvas, content);
  if (!is_same || input.tiles->has_news() || input.tiles->frame() != tiles_frame_) {
    input.tiles->begin_frame();
    band_.redraw(input, axis);
    tiles_frame_ = input.tiles->frame();
  }
  output.is_stale |= band_.is_stale();
}

// Whether the pointer is for it.
bool FlameChart::draw_scroll_bar(const PanelInput& input, const Area& canvas, double all) {
  const double seen = static_cast<double>(canvas.height());
  if (all <= seen) return false;
  const Area area = {canvas.x1 - std::round(ScrollBar::kWidthPx * input.scale), canvas.y0,
                     canvas.x1, canvas.y1};
  const bool can_hover = ImGui::IsWindowHovered() && !gestures_.is_dragging();
  scroll_px_ = scroll_bar_.draw({area, input.scale, input.theme.text_dim, can_hover},
                                {scroll_px_, seen, all});
  return scroll_bar_.is_held() || (can_hover && area.contains(ImGui::GetIO().MousePos));
}

void FlameChart::handle_mouse(const PanelInput& input, const TimeAxis& axis, const Area& gutter,
                              bool is_window, PanelOutput& output) {
  const ImGuiIO& io = ImGui::GetIO();
  const Area& canvas = band_.area();
  const bool is_hovered = ImGui::IsWindowHovered() && canvas.contains(io.MousePos);
  const bool is_on_names = ImGui::IsWindowHovered() && gutter.contains(io.MousePos);
  if (is_on_names || (is_hovered && !is_window)) {
    scroll_px_ -= static_cast<double>(io.MouseWheel) * kRowsPerNotch *
                  input.session.look.row_height_px * static_cast<double>(input.scale);
  }
  if (is_window) {
    const bool was_dragging = gestures_.is_dragging();
    gestures_.handle(axis, input, is_hovered, /*drags=*/true, output);
    if (gestures_.is_dragging() && !was_dragging) scroll_at_drag_ = scroll_px_;
    if (gestures_.dragged_across() != 0) {
      scroll_px_ = scroll_at_drag_ - static_cast<double>(gestures_.dragged_across());
    }
  }
  if (!is_hovered) return;
  output.hover = axis.time_from_x(io.MousePos.x);
  if (gestures_.dragged_across() == 0) hover(input, axis, output);
}

void FlameChart::hover(const PanelInput& input, const TimeAxis& axis, PanelOutput& output) {
  const auto hit = band_.hit_at(axis, ImGui::GetIO().MousePos);
  if (!hit && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) time_menu_.open(*output.hover);
  if (!hit) return;
  band_.draw_hit(input, axis, *hit);
  show_tooltip(input, axis, *hit, details_, output);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) element_menu_.open(*hit);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    const double length = static_cast<double>(std::max<int64_t>(1, hit->duration.ticks));
    TimeWindow window = TimeWindow::from_range({hit->begin, hit->begin + hit->duration});
    window.length = std::max(TimeWindow::kMinTicks, length * 1.25);
    output.commands.push_back(view_set_command(window.panned(-length * 0.125)));
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
             hit->kind == layout::Hit::Kind::kElement) {
    output.commands.push_back(
        {"element.select", args_from_element(element_of(*input.model->trace, *hit))});
  }
}

}  // namespace weft::app
