#include "app/panels/timeline/loss_marks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kNotchPx = 4;  // half of the width of a notch, and of a tick
constexpr float kHatchPx = 8;  // from one line of a gap to the next
constexpr float kTrailPx = 3;  // height of the band along the ruler
constexpr float kPale = 0.35F;

// `strength`: 1 where something is lost, less where it may be.
void draw_gap(const PanelInput& input, const Area& gap, float strength = 1) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({gap.x0, gap.y0}, {gap.x1, gap.y1},
                     faded(input.theme.warning, 0.15F * strength));
  list.PushClipRect({gap.x0, gap.y0}, {gap.x1, gap.y1}, true);
  const float height = gap.height();
  for (float x = gap.x0 - height; x < gap.x1; x += kHatchPx * input.scale) {
    list.AddLine({x, gap.y1}, {x + height, gap.y0}, faded(input.theme.warning, 0.6F * strength),
                 input.scale);
  }
  list.PopClipRect();
}

// The top and the bottom of a lane's line; nullopt if none of it is in the band.
std::optional<std::pair<float, float>> heights_of(const LaneBand& band, LaneId lane) {
  const Area& area = band.area();
  const layout::DisplayRow* line = band.content().lanes().line_of(lane);
  if (!line) return std::nullopt;
  const float y0 = area.y0 + std::floor(static_cast<float>(line->y - band.content().scroll()));
  const float y1 = y0 + std::floor(static_cast<float>(line->height));
  if (y1 <= area.y0 || y0 >= area.y1) return std::nullopt;
  return std::pair(y0, y1);
}

}  // namespace

void LossMarks::update(const PanelInput& input) {
  marks_.clear();
  trails_.clear();
  if (trace_ == input.model->trace) return;
  trace_ = input.model->trace;
  placed_ = placed_losses(trace_->dictionary().report);
  further_ = further_losses(trace_->dictionary().report);
}

Area LossMarks::trail(const TimeAxis& axis, const FurtherLosses& further,
                      const Area& within) const {
  const double begin = axis.x_from_time(further.from), end = axis.x_from_time(trace_->range().end);
  const auto inside = [&](double x) {
    return static_cast<float>(
        std::floor(std::clamp(x, static_cast<double>(within.x0), static_cast<double>(within.x1))));
  };
  return {inside(begin), within.y0, inside(end), within.y1};
}

bool LossMarks::is_marked(const PanelInput& input, const PlacedLoss& loss) const {
  return loss.loss->is_damage || input.trace->shown_loss() == *loss.place;
}

bool LossMarks::add(const PanelInput& input, const Mark& mark) {
  // Losses come in order of time: those of a line that touch follow each other.
  const auto same_line = std::ranges::find_if(marks_.rbegin(), marks_.rend(),
                                              [&](const Mark& m) { return m.y0 == mark.y0; });
  if (same_line != marks_.rend() && mark.x0 < same_line->x1 + input.scale) {
    same_line->x1 = std::max(same_line->x1, mark.x1);
    ++same_line->count;
    return false;
  }
  marks_.push_back(mark);
  return true;
}

void LossMarks::draw_ruler(const PanelInput& input, const TimeAxis& axis, const Area& ruler) {
  update(input);
  const float r = kNotchPx * input.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (size_t i = 0; i < further_.size(); ++i) {
    const Area area = trail(axis, further_[i], ruler);
    if (area.x1 <= area.x0) continue;
    // What lies behind an earlier one is part of its band.
    if (trails_.empty())
      list.AddRectFilled({area.x0, area.y0}, {area.x1, area.y0 + kTrailPx * input.scale},
                         faded(input.theme.warning, kPale));
    trails_.push_back({{area.x0, area.y0, area.x1, area.y0 + 2 * r}, i});
  }
  for (size_t i = 0; i < placed_.size(); ++i) {
    const PlacedLoss& loss = placed_[i];
    const double x = axis.x_from_time(loss.time());
    if (x < ruler.x0 - r || x > ruler.x1 + r || !is_marked(input, loss)) continue;
    const auto at = static_cast<float>(std::floor(x));
    if (!add(input, {at - r, at + r, ruler.y0, ruler.y1, i, 1})) continue;
    list.AddTriangleFilled({at - r, ruler.y0}, {at + r, ruler.y0}, {at, ruler.y0 + 1.5F * r},
                           input.theme.warning);
  }
}

void LossMarks::draw_trails(const PanelInput& input, const TimeAxis& axis, const LaneBand& band) {
  const Area& area = band.area();
  std::vector<LaneId> hatched;  // of the earliest kind, which covers the others
  for (size_t i = 0; i < further_.size(); ++i) {
    for (const LaneId lane : further_[i].lanes) {
      const auto heights = heights_of(band, lane);
      if (!heights) continue;
      const Area gap =
          trail(axis, further_[i], {area.x0, heights->first, area.x1, heights->second});
      if (gap.x1 <= gap.x0) continue;
      if (std::ranges::find(hatched, lane) == hatched.end()) draw_gap(input, gap, kPale);
      hatched.push_back(lane);
      trails_.push_back({gap, i});
    }
  }
}

void LossMarks::draw_lanes(const PanelInput& input, const TimeAxis& axis, const LaneBand& band) {
  const Area& area = band.area();
  if (!band.content().model || area.height() <= 0) return;
  const float r = kNotchPx * input.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({area.x0, area.y0}, {area.x1, area.y1}, true);
  draw_trails(input, axis, band);
  for (size_t i = 0; i < placed_.size(); ++i) {
    const PlacedLoss& loss = placed_[i];
    const double begin = axis.x_from_time(loss.time()), end = axis.x_from_time(loss.end());
    if (end < area.x0 - r || begin > area.x1 + r || !is_marked(input, loss)) continue;
    const auto x0 = static_cast<float>(std::floor(std::max(begin, area.x0 - 2.0 * r)));
    const auto x1 = static_cast<float>(std::floor(std::min(end, area.x1 + 2.0 * r)));
    if (loss.place->lane.is_none()) {  // of all lanes; the mark is the ruler's
      if (x1 > x0) draw_gap(input, {x0, area.y0, x1, area.y1});
      continue;
    }
    const auto heights = heights_of(band, loss.place->lane);
    if (!heights) continue;
    const auto [y0, y1] = *heights;
    if (x1 > x0) draw_gap(input, {x0, y0, x1, y1});
    if (!add(input, {x0 - r, std::max(x0 + r, x1), y0, y1, i, 1})) continue;
    // At most half as deep as the line: an event at the same time, a pixel wide, is seen below it.
    const float tip = y0 + std::min(1.5F * r, std::floor((y1 - y0) / 2));
    list.AddTriangleFilled({x0 - r, y0}, {x0 + r, y0}, {x0, tip}, input.theme.warning);
  }
  list.PopClipRect();
}

bool LossMarks::hover(const PanelInput& input, const TimeAxis& axis, ImVec2 mouse) const {
  const auto pointed = std::ranges::find_if(marks_, [&](const Mark& m) {
    return mouse.x >= m.x0 && mouse.x < m.x1 && mouse.y >= m.y0 && mouse.y < m.y1;
  });
  if (pointed == marks_.end()) return false;
  const PlacedLoss& loss = placed_[pointed->first];
  ImGui::BeginTooltip();
  ImGui::PushFont(input.fonts.bold);
  show_text(printable(loss.loss->kind), input.theme.warning);
  ImGui::PopFont();
  std::string where = "at " + axis.label(loss.time(), *input.trace);
  if (loss.place->duration.ticks > 0) {
    where += " for " + length_label(loss.place->duration, *input.trace, 3);
  }
  if (!loss.place->lane.is_none())
    where += ", " + printable(trace_->dictionary().path_text(loss.place->lane));
  show_text(where, input.theme.text_dim);
  if (const std::string place = in_input(*loss.place); !place.empty())
    show_text(place + " of the input", input.theme.text_dim);
  if (pointed->count > 1)
    show_text(fmt::format("and {} more here", format_count(pointed->count - 1)),
              input.theme.text_dim);
  ImGui::EndTooltip();
  return true;
}

bool LossMarks::hover_further(const PanelInput& input, ImVec2 mouse) const {
  bool is_shown = false;
  for (const Trail& trail : trails_) {
    if (!trail.area.contains(mouse)) continue;
    if (!std::exchange(is_shown, true)) ImGui::BeginTooltip();
    ImGui::PushFont(input.fonts.bold);
    show_text(printable(further_[trail.of].loss->kind), input.theme.warning);
    ImGui::PopFont();
    show_text(in_words(further_[trail.of]), input.theme.text_dim);
  }
  if (is_shown) ImGui::EndTooltip();
  return is_shown;
}

}  // namespace weft::app
