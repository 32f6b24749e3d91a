#include "app/panels/timeline/density_panel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/drag.h"
#include "app/panels/hairline.h"
#include "app/panels/timeline/marker_layer.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kDensityBinPx = 4;

// The largest of 1, 2, 5 times a power of ten that is at most `most`.
uint64_t grid_value(uint64_t most) {
  uint64_t power = 1;
  while (power <= most / 10) power *= 10;
  for (const uint64_t factor : {5, 2}) {
    if (factor * power <= most) return factor * power;
  }
  return power;
}

// The values of grid lines, from the lowest: at equal distances from 0 or, on a logarithmic scale,
// each ten times the one below.
std::vector<uint64_t> grid_values(uint64_t most, DensityScale scale) {
  std::vector<uint64_t> values;
  if (most == 0) return values;
  if (scale == DensityScale::kLogarithmic) {
    for (uint64_t value = 1; value <= most; value *= 10) {
      values.push_back(value);
      if (value > most / 10) break;
    }
    return values;
  }
  const uint64_t grid = grid_value(most);
  for (uint64_t value = grid; value <= most; value += grid) values.push_back(value);
  return values;
}

struct GridLabel {
  ImVec2 at;
  std::string text;
};

// The values of grid lines left of these, in the font of now, as many as have room: from the step
// between them upwards or, of logarithms, from the highest downwards.
std::vector<GridLabel> grid_labels(const PanelInput& input, const Area& area, uint64_t highest,
                                   DensityScale scale) {
  std::vector<uint64_t> values = grid_values(highest, scale);
  if (scale == DensityScale::kLogarithmic) std::ranges::reverse(values);
  const float font_px = ImGui::GetFontSize();
  const float height = area.height() - std::round(8 * input.scale);
  std::vector<GridLabel> labels;
  for (const uint64_t value : values) {
    const auto rise = static_cast<float>(height_share(value, highest, scale)) * height;
    const float y = std::max(area.y0, area.y1 - rise - font_px / 2);
    if (!labels.empty() && std::fabs(labels.back().at.y - y) < 2 * font_px) continue;
    std::string text = format_count(value);
    const float x = area.x0 - text_width(text) - 6 * input.scale;
    labels.push_back({{x, y}, std::move(text)});
  }
  return labels;
}

Sheet sheet_of(std::shared_ptr<const Histogram> histogram) {
  const uint64_t count = histogram->bins.size();
  return sheet_of_cells({"begin", "end", "events"}, count,
                        [of = std::move(histogram)](uint64_t bin, size_t column) -> Cell {
                          if (column == 2) return of->bins[bin];
                          const TimeRange range = of->range_of(bin);
                          return (column == 0 ? range.begin : range.end).ticks;
                        });
}

}  // namespace

DensityPanel::DensityPanel(const PanelServices& services)
    : histogram_(
          [pool = services.pool](const HistogramKey& key, const std::stop_token& stop) {
            return make_histogram(key, {*pool, stop});
          },
          services.wake),
      canvas_(*services.renderer) {}

void DensityPanel::draw(const PanelInput& input, PanelOutput& output) {
  canvas_.hide();
  const Area area = {input.area.x0 + input.gutter_px, input.area.y0, input.area.x1, input.area.y1};
  if (!input.trace || !input.trace->trace()) return;
  const TimeAxis axis(input.window, area.x0, area.x1, input.trace->folded_time());
  HistogramKey key = histogram_key(input.trace->trace(), axis, axis.window.range(), kDensityBinPx);
  use_filter(input, key);
  const auto found = histogram_.find(key);
  output.is_stale |= found.is_stale;
  offer_sheet(input, "", found.is_stale, [&] { return sheet_of(found.value); }, output);
  draw_picture(input, axis, area, found.value);
  const bool is_of_other = key.filter && found.is_stale && found.key &&
                           (found.key->filter != key.filter || found.key->hides != key.hides);
  if (filter_sign_.update(is_filter_pending(input) || is_of_other, output)) {
    FilterSign::draw_veil(input, area);
    FilterSign::draw_note(input, area);
  }
  draw_selected_range(input, axis, area);
  draw_marker_ticks(input, axis, area);

  const bool is_hovered = ImGui::IsWindowHovered() && area.contains(ImGui::GetIO().MousePos);
  if (is_hovered) output.hover = axis.time_from_x(ImGui::GetIO().MousePos.x);
  gestures_.handle(axis, input, is_hovered, /*drags=*/false, output);
  if (found.value) {
    draw_scale(input, area, *found.value);
    if (is_hovered && !drag_from_x_) draw_hover(input, axis, area, *found.value);
  }
  handle_drag(input, axis, area, is_hovered, output);
  if (is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) time_menu_.open(*output.hover);
  time_menu_.draw(input, output);
}

void DensityPanel::draw_picture(const PanelInput& input, const TimeAxis& axis, const Area& area,
                                const std::shared_ptr<const Histogram>& histogram) {
  const DensityScale scale = density_scale_of(input.options);
  const Drawn wanted = {histogram, axis.window, axis.time.cuts(), scale, input.session.look.theme};
  if (canvas_.place(area) && wanted == drawn_) return;
  drawn_ = wanted;
  render::DrawBatch& batch = canvas_.redraw(area);
  batch.background = input.theme.background;
  const float head_room = std::round(8 * input.scale);
  const float height = area.height() - head_room;
  if (histogram && histogram->most > 0) {
    const uint64_t highest = histogram->highest(scale);
    for (const uint64_t value : grid_values(highest, scale)) {
      const double share = height_share(value, highest, scale);
      const float y = std::floor(area.height() - static_cast<float>(share) * height);
      batch.backdrops.push_back({0, y, area.width(), y + 1, input.theme.grid, 0});
    }
    BarColors colors = bar_colors(input);
    // Most of the others are cut: a ground, not bars to be read.
    if (highest < histogram->most)
      colors.rest = blended(input.theme.bars, input.theme.background, 0.12F);
    append_bars(*histogram, axis, area.height(), height, scale, colors, batch);
  }
}

void DensityPanel::draw_scale(const PanelInput& input, const Area& area,
                              const Histogram& histogram) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float pad = 10 * input.scale;
  const float room = input.gutter_px - 2 * pad;
  ImGui::PushFont(input.fonts.bold);
  ImVec2 at = {input.area.x0 + pad, input.area.y0 + 8 * input.scale};
  draw_text(list, at, input.theme.text, "Event density", room);
  at.y += ImGui::GetFontSize() + 5 * input.scale;
  ImGui::PopFont();

  ImGui::PushFont(input.fonts.small);
  const float line = ImGui::GetFontSize() + 4 * input.scale;
  if (input.session.traces.size() > 1) {
    draw_text(list, at, input.theme.text, input.trace->name(), room);
    at.y += line;
  }
  const DensityScale scale = density_scale_of(input.options);
  // The first bin and the last may begin before the window, and end behind it.
  const TimeRange all = input.trace->range();
  const bool is_all = histogram.range.begin <= all.begin && histogram.range.end >= all.end;
  const uint64_t highest = histogram.highest(scale);
  const std::string facts[] = {
      counted(histogram.total, "event") + (!is_all && histogram.total == 1 ? " begins in these bins"
                                           : !is_all                       ? " begin in these bins"
                                           : histogram.total == 1          ? " by its begin"
                                                                           : " by their begin"),
      "bins of " + length_label(histogram.range_of(0).length(), *input.trace, 3),
      highest < histogram.most ? "scaled to what passes: at most " + format_count(highest)
                               : "at most " + format_count(histogram.most),
      density_scale_label(scale)};
  const std::vector<GridLabel> labels = grid_labels(input, area, highest, scale);
  for (const GridLabel& label : labels)
    draw_text(list, label.at, input.theme.text_dim, label.text, area.x0 - label.at.x);
  for (const std::string& fact : facts) {  // what is in the labels' lines keeps clear of them
    if (at.y + ImGui::GetFontSize() > input.area.y1) break;
    float end = area.x0;
    for (const GridLabel& label : labels) {
      if (std::fabs(at.y - label.at.y) < line) end = std::min(end, label.at.x);
    }
    draw_text(list, at, input.theme.text_dim, fact, end - at.x - pad / 2);
    at.y += line;
  }
  ImGui::PopFont();
}

void DensityPanel::draw_hover(const PanelInput& input, const TimeAxis& axis, const Area& area,
                              const Histogram& histogram) const {
  const Time time = axis.time_from_x(ImGui::GetIO().MousePos.x);
  if (!histogram.range.contains(time)) return;
  const size_t bin = histogram.bin_at(time);
  const TimeRange range = histogram.range_of(bin);
  const auto x0 = static_cast<float>(std::round(axis.x_from_time(range.begin)));
  const auto x1 = static_cast<float>(std::round(axis.x_from_time(range.end)));
  const float height = area.height() - std::round(8 * input.scale);
  const DensityScale scale = density_scale_of(input.options);
  const uint64_t highest = histogram.highest(scale);
  const double share = height_share(std::min(histogram.bins[bin], highest), highest, scale);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({x0, area.y0}, {std::max(x0 + 1, x1 - 1), area.y1}, input.theme.selection);
  if (histogram.bins[bin] > 0) {
    const float top = area.y1 - std::max(1.0F, static_cast<float>(share) * height);
    list.AddRectFilled({x0, std::floor(top)}, {std::max(x0 + 1, x1 - 1), area.y1},
                       input.theme.bars_hovered);
  }
  begin_tooltip_within(input.area);
  ImGui::PushFont(input.fonts.bold);
  show_text(counted(histogram.bins[bin], "event"));
  ImGui::PopFont();
  if (!histogram.hits.empty()) {
    show_text(format_count(histogram.hits[bin]) + " pass the filter");
  }
  show_text("around " + axis.label(histogram.middle_of(bin), *input.trace), input.theme.text_dim);
  ImGui::EndTooltip();
}

void DensityPanel::handle_drag(const PanelInput& input, const TimeAxis& axis, const Area& area,
                               bool is_hovered, PanelOutput& output) {
  const float x = std::clamp(ImGui::GetIO().MousePos.x, area.x0, area.x1);
  const bool begins = is_hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                      !ImGui::GetIO().KeyCtrl;  // which moves the view
  if (begins) drag_from_x_ = x;
  if (!drag_from_x_) return;
  const float from = *drag_from_x_;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (x > from) {
    list.AddRectFilled({from, area.y0}, {x, area.y1}, input.theme.selection);
    draw_hairline_down(list, from, area.y0, area.y1, input.theme.accent);
    draw_hairline_down(list, x, area.y0, area.y1, input.theme.accent);
  } else if (is_drag(x - from, input.scale)) {
    const char* hint = "← the whole trace";
    draw_text(list, {x + 8, (area.y0 + area.y1) / 2}, input.theme.text, hint, area.width());
    draw_hairline_down(list, x, area.y0, area.y1, input.theme.accent);
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  drag_from_x_.reset();
  if (!is_drag(x - from, input.scale)) return;
  if (x > from) {
    const TimeRange range = {axis.time_from_x(from), axis.time_from_x(x) + Duration{1}};
    output.commands.push_back(view_set_command(TimeWindow::from_range(range)));
  } else {
    output.commands.push_back({"view.fit"});
  }
}

}  // namespace weft::app
