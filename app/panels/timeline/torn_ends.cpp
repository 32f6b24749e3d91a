#include "app/panels/timeline/torn_ends.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kToothPx = 5;  // as deep as high
constexpr float kStubPx = 10;
constexpr float kLeastExtentPx = 16;  // of what a stub stands for

// Bites teeth out of what lies before `x` (or behind it), whole ones, from `y0` to `y1`.
void tear(const PanelInput& input, float x, float y0, float y1, bool is_before) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = render::color_from_rgb(
      layout::theme_colors(input.model->palette->theme()).row);  // what lies behind boxes
  const float height = y1 - y0;
  const float teeth = std::max(1.0F, std::round(height / (kToothPx * input.scale)));
  const float tooth = height / teeth;
  const float deep = (is_before ? -1 : 1) * kToothPx * input.scale;
  for (float y = y0; y < y1 - tooth / 2; y += tooth) {
    list.AddTriangleFilled({x, y}, {x + deep, y + tooth / 2}, {x, y + tooth}, color);
  }
}

// The place of the lane's outermost row in a line, from the line's top; nullopt: it is folded away
// there, and has no strip.
std::optional<layout::Summary::Strip> place_in(const layout::DisplayRow& line, LaneId lane,
                                               const layout::Lanes& lanes,
                                               const store::Trace& trace) {
  const float height = std::floor(static_cast<float>(line.height)) - 1;
  if (!line.is_summary()) return layout::Summary::Strip{0, height};
  const layout::Summary& summary = lanes.summary(line);
  const auto row =
      std::ranges::find(summary.rows, lane, [&](RowId id) { return trace.row(id).lane; });
  if (row == summary.rows.end()) return std::nullopt;
  return summary.strip_of(static_cast<size_t>(row - summary.rows.begin()), height);
}

}  // namespace

void TornEnds::begin_frame(const PanelInput& input) {
  stubs_.clear();
  if (trace_ == input.model->trace) return;
  trace_ = input.model->trace;
  ends_ = UnpairedEnds(trace_->dictionary().report, trace_->range().end);
}

void TornEnds::draw(const PanelInput& input, const TimeAxis& axis, const LaneBand& band) {
  const Area& area = band.area();
  if (ends_.is_empty() || !band.content().model || area.height() <= 0) return;
  ImGui::GetWindowDrawList()->PushClipRect({area.x0, area.y0}, {area.x1, area.y1}, true);
  for (const layout::PlacedBox& box : band.boxes()) {
    const LaneId lane = trace_->row(box.row).lane;
    if (!ends_.lacks_end(lane, box.begin, box.begin + box.duration)) continue;
    const double x = axis.x_from_time(box.begin + box.duration);
    if (x < area.x0 || x > area.x1 + 1) continue;
    const float y0 = area.y0 + box.y;
    tear(input, static_cast<float>(std::ceil(x)), y0, y0 + box.height, /*is_before=*/true);
  }
  draw_stubs(input, axis, band);
  ImGui::GetWindowDrawList()->PopClipRect();
}

void TornEnds::draw_stubs(const PanelInput& input, const TimeAxis& axis, const LaneBand& band) {
  // Nothing but the lane and the time of such a state is known: it passes no filter.
  if (input.filter.hides()) return;
  const float strength = input.filter.dims() ? 0.3F : 1;
  const Area& area = band.area();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double begin = axis.x_from_time(trace_->range().begin);
  const ImU32 color = faded(input.theme.text_dim, 0.5F * strength);
  for (const UnpairedEnds::At& at : ends_.ends_alone()) {
    const double end = axis.x_from_time(at.time);
    const bool is_wide = end - begin >= kLeastExtentPx * input.scale;
    if (!is_wide || end < area.x0 || end > area.x1 + kStubPx * input.scale) continue;
    const layout::DisplayRow* line = band.content().lanes().line_of(at.lane);
    if (!line) continue;
    const auto place = place_in(*line, at.lane, band.content().lanes(), *trace_);
    if (!place) continue;
    const auto x1 = static_cast<float>(std::ceil(end));
    const float x0 = x1 - kStubPx * input.scale;
    const float y0 =
        area.y0 + std::floor(static_cast<float>(line->y - band.content().scroll())) + place->y;
    const float y1 = y0 + place->height;
    if (y1 <= area.y0 || y0 >= area.y1) continue;
    list.AddRectFilled({x0, y0}, {x1, y1}, color);
    list.AddRectFilled({x1 - std::max(1.0F, input.scale), y0}, {x1, y1},
                       faded(input.theme.text_dim, strength));
    tear(input, x0, y0, y1, /*is_before=*/false);
    stubs_.push_back({{x0, y0, x1, y1}, at});
  }
}

bool TornEnds::hover(const PanelInput& input, const TimeAxis& axis, ImVec2 mouse) const {
  const auto pointed =
      std::ranges::find_if(stubs_, [&](const Stub& stub) { return stub.area.contains(mouse); });
  if (pointed == stubs_.end()) return false;
  ImGui::BeginTooltip();
  show_text("an end without a begin");
  show_text("at " + axis.label(pointed->at.time, *input.trace) + ", " +
                printable(trace_->dictionary().path_text(pointed->at.lane)),
            input.theme.text_dim);
  show_text("what ended here began before the trace, or its begin was lost", input.theme.text_dim);
  ImGui::EndTooltip();
  return true;
}

}  // namespace weft::app
