#include "app/panels/timeline/overview_panel.h"

#include <algorithm>
#include <cmath>

#include "app/panels/drag.h"
#include "app/panels/path_text.h"
#include "app/panels/timeline/hit_marks.h"
#include "app/panels/timeline/marker_layer.h"
#include "app/panels/timeline/time_axis.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kBinPx = 2;
constexpr float kGripPx = 6;
constexpr float kRulerPx = 18;
constexpr float kHitStripPx = 10;

// Between two edges, in ticks from the begin of a window. An edge that is dragged past the other
// one changes places with it.
TimeWindow window_between(const TimeWindow& window, double a, double b) {
  TimeWindow between = window.panned(std::min(a, b));
  between.length = std::max(TimeWindow::kMinTicks, std::fabs(b - a));
  return between;
}

// If none was chosen and a few stretches dwarf all others: by the square root, so that these are
// seen.
DensityScale scale_of(const PanelInput& input, const Histogram* histogram) {
  if (histogram && histogram->has_spikes && !input.options.contains("scale"))
    return DensityScale::kRoot;
  return density_scale_of(input.options);
}

}  // namespace

OverviewPanel::OverviewPanel(const PanelServices& services)
    : histogram_(
          [pool = services.pool](const HistogramKey& key, const std::stop_token& stop) {
            return make_histogram(key, {*pool, stop});
          },
          services.wake),
      canvas_(*services.renderer) {}

void OverviewPanel::draw(const PanelInput& input, PanelOutput& output) {
  canvas_.hide();
  if (!input.trace || !input.trace->trace()) return draw_gutter(input, DensityScale::kLinear);
  const float ruler = std::round(kRulerPx * input.scale);
  const Area area = {input.area.x0 + input.gutter_px, input.area.y0, input.area.x1,
                     input.area.y1 - ruler};
  const TimeAxis axis(TimeWindow::all_of(input.trace->reach()), area.x0, area.x1);
  const HistogramKey key = histogram_key(input.trace->trace(), axis, input.trace->range(), kBinPx);
  const auto found = histogram_.find(key);
  output.is_stale |= found.is_stale;
  const DensityScale scale = scale_of(input, found.value.get());
  draw_gutter(input, scale);
  draw_picture(input, axis, area, found.value, scale);

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y1}, {area.x1, input.area.y1}, input.theme.gutter);
  ImGui::PushFont(input.fonts.small);
  draw_ruler(list, axis_ticks(axis, *input.trace), axis, area.y1, input.area.y1, input.theme);
  ImGui::PopFont();
  draw_window(input, axis, area);
  draw_selected_range(input, axis, area);
  draw_marker_ticks(input, axis, area);
  draw_hits(input, axis, area, output);
  handle_mouse(input, axis, area, output);
  time_menu_.draw(input, output);
}

void OverviewPanel::draw_picture(const PanelInput& input, const TimeAxis& axis, const Area& area,
                                 const std::shared_ptr<const Histogram>& histogram,
                                 DensityScale scale) {
  const Drawn wanted = {histogram, axis.window, scale, input.session.look.theme};
  if (canvas_.place(area) && wanted == drawn_) return;
  drawn_ = wanted;
  render::DrawBatch& batch = canvas_.redraw(area);
  batch.background = input.theme.background;
  if (histogram) {
    append_bars(*histogram, axis, area.height(), area.height() - 14 * input.scale, scale,
                bar_colors(input), batch);
  }
}

void OverviewPanel::draw_hits(const PanelInput& input, const TimeAxis& axis, const Area& area,
                              PanelOutput& output) const {
  const query::Search* hits = input.filter.hits.get();
  if (!hits || !input.filter.marks_hits()) return;
  output.is_stale |= !hits->is_done();
  const Area strip = {area.x0, area.y0, area.x1, area.y0 + std::round(kHitStripPx * input.scale)};
  draw_hit_marks(input, axis, strip,
                 {hits->bins(), [&](size_t i) { return hits->bin_range(static_cast<uint32_t>(i)); },
                  [&](size_t i) { return hits->hits_in(static_cast<uint32_t>(i)); }});
}

void OverviewPanel::draw_window(const PanelInput& input, const TimeAxis& axis,
                                const Area& area) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto x_of = [&](double fraction_of_window) {
    const TimeWindow& window = input.window;
    const double x =
        axis.x_from_time(window.begin) +
        (window.begin_fraction + fraction_of_window * window.length) / axis.ticks_per_px();
    return std::floor(std::clamp(static_cast<float>(x), area.x0, area.x1));
  };
  const float x0 = x_of(0);
  const float x1 = std::max(x0 + 1, x_of(1));
  if (x0 > area.x0) list.AddRectFilled({area.x0, area.y0}, {x0, area.y1}, input.theme.shade);
  if (x1 < area.x1) list.AddRectFilled({x1, area.y0}, {area.x1, area.y1}, input.theme.shade);
  const float middle = (area.y0 + area.y1) / 2;
  const float half = std::min(9 * input.scale, (area.y1 - area.y0) / 3);
  for (const float x : {x0, x1}) {
    list.AddRectFilled({x - 0.5F, area.y0}, {x + 0.5F, area.y1}, input.theme.accent);
    // Whole at the edges, too, where it can be taken hold of.
    const float broad = 3 * input.scale;
    const float at = std::clamp(x, area.x0 + broad, std::max(area.x0 + broad, area.x1 - broad));
    list.AddRectFilled({at - broad, middle - half}, {at + broad, middle + half}, input.theme.accent,
                       2 * input.scale);
  }
}

void OverviewPanel::draw_gutter(const PanelInput& input, DensityScale scale) const {
  if (!input.trace) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float pad = 10 * input.scale;
  const float room = input.gutter_px - 2 * pad;
  ImVec2 at = {input.area.x0 + pad, input.area.y0 + 8 * input.scale};
  ImGui::PushFont(input.fonts.bold);
  draw_text(list, at, input.theme.text, without_middle(printable(input.trace->name()), room), room);
  at.y += ImGui::GetFontSize() + 5 * input.scale;
  ImGui::PopFont();
  if (!input.trace->trace()) return;
  const store::Trace& trace = *input.trace->trace();
  ImGui::PushFont(input.fonts.small);
  const TimeRange reach = input.trace->reach();
  const std::string facts[] = {
      counted(trace.counts().total(), "event"),
      extent_label(*input.trace) + " · " + counted(trace.dictionary().lanes.size(), "lane"),
      date_label(input.trace->time_display, reach.begin, reach, input.trace->time_base()),
      density_scale_label(scale)};
  for (const std::string& fact : facts) {
    if (fact.empty()) continue;
    if (at.y + ImGui::GetFontSize() > input.area.y1) break;
    draw_text(list, at, input.theme.text_dim, fact, room);
    at.y += ImGui::GetFontSize() + 4 * input.scale;
  }
  ImGui::PopFont();
  const Area gutter = {input.area.x0, input.area.y0, input.area.x0 + input.gutter_px,
                       input.area.y1};
  if (!ImGui::IsWindowHovered() || !gutter.contains(ImGui::GetIO().MousePos)) return;
  ImGui::BeginTooltip();
  show_text(input.trace->name());
  for (const std::string& fact : facts) {
    if (!fact.empty()) show_text(fact, input.theme.text_dim);
  }
  ImGui::EndTooltip();
}

OverviewPanel::Grip OverviewPanel::grip_at(const TimeAxis& axis, const TimeWindow& window, float x,
                                           float scale) const {
  const TimeRange range = window.range();
  const double begin = axis.x_from_time(range.begin);
  const double end = axis.x_from_time(range.end);
  const double to_begin = std::fabs(x - begin);
  const double to_end = std::fabs(x - end);
  if (std::min(to_begin, to_end) <= kGripPx * scale) {
    // If both edges are near, the pointer's side of the window's middle decides.
    if (to_begin == to_end) return x < (begin + end) / 2 ? Grip::kBegin : Grip::kEnd;
    return to_begin < to_end ? Grip::kBegin : Grip::kEnd;
  }
  return x > begin && x < end ? Grip::kWindow : Grip::kElsewhere;
}

void OverviewPanel::handle_mouse(const PanelInput& input, const TimeAxis& axis, const Area& area,
                                 PanelOutput& output) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_hovered = ImGui::IsWindowHovered() && area.contains(mouse);
  if (is_hovered && drag_.grip == Grip::kNone) {
    const Grip grip = grip_at(axis, input.window, mouse.x, input.scale);
    if (grip == Grip::kBegin || grip == Grip::kEnd)
      ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    output.hover = axis.time_from_x(mouse.x);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) time_menu_.open(*output.hover);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      drag_ = {grip, mouse.x, input.trace->view().window, new_gesture(), false};
    }
    if (const float notches = ImGui::GetIO().MouseWheel; notches != 0) {
      output.commands.push_back(view_set_command(
          input.trace->zoomed(input.trace->view().window, std::pow(kZoomPerNotch, notches), 0.5),
          wheel_.number()));
    }
  }
  if (drag_.grip != Grip::kNone) follow_drag(input, axis, output);
}

void OverviewPanel::follow_drag(const PanelInput& input, const TimeAxis& axis,
                                PanelOutput& output) {
  const float x = ImGui::GetIO().MousePos.x;
  drag_.has_moved |= is_drag(x - drag_.from_x, input.scale);
  const double ticks = (x - drag_.from_x) * axis.ticks_per_px();
  std::optional<TimeWindow> next;
  if (drag_.has_moved) {
    TimeWindow moved = drag_.window;
    switch (drag_.grip) {
      case Grip::kBegin:
        moved = window_between(drag_.window, ticks, drag_.window.length);
        break;
      case Grip::kEnd:
        moved = window_between(drag_.window, 0, drag_.window.length + ticks);
        break;
      case Grip::kWindow:
      case Grip::kElsewhere:
        moved = drag_.window.panned(ticks);
        break;
      case Grip::kNone:
        break;
    }
    next = moved;
    output.is_direct = true;
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    if (!drag_.has_moved && drag_.grip == Grip::kElsewhere) {
      // A click beside the window: its middle comes here, as far as the trace goes.
      const Time middle = drag_.window.time_from_fraction(0.5);
      next = drag_.window.panned((x - axis.x_from_time(middle)) * axis.ticks_per_px())
                 .within(input.trace->reach());
    }
    drag_.grip = Grip::kNone;
  }
  if (next && *next != input.trace->view().window) {
    output.commands.push_back(view_set_command(*next, drag_.gesture));
  }
}

}  // namespace weft::app
