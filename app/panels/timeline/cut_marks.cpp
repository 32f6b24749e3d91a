#include "app/panels/timeline/cut_marks.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace weft::app {
namespace {

constexpr float kMarkPx = 7;    // from one mark to the next, at least
constexpr float kZigPx = 2.5F;  // to either side, along the axis
constexpr float kToothPx = 7;   // of the zig-zag, across it

// One or more cuts that share a mark.
struct Mark {
  float x = 0;       // along the axis
  TimeRange first;   // the first of them
  Duration removed;  // by all of them
  uint64_t count = 0;
};

std::vector<Mark> marks_on(const TimeAxis& axis, float scale) {
  std::vector<Mark> marks;
  if (!axis.time.cuts()) return marks;
  const auto cuts = axis.time.cuts()->cuts();
  const Time begin = axis.time_from_x(axis.x0), end = axis.time_from_x(axis.x0 + axis.width);
  auto cut = std::ranges::lower_bound(cuts, begin, {}, &TimeRange::begin);
  for (; cut != cuts.end() && cut->begin < end; ++cut) {
    const auto x = static_cast<float>(axis.x_from_time(cut->begin));
    if (marks.empty() || x - marks.back().x >= kMarkPx * scale) {
      marks.push_back({std::round(x), *cut, {}, 0});
    }
    marks.back().removed = marks.back().removed + cut->length();
    ++marks.back().count;
  }
  return marks;
}

}  // namespace

void draw_cut_marks(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                    const Area& canvas) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool is_down = axis.direction == AxisDirection::kDown;
  const auto point = [&](float along, float across) {
    return is_down ? ImVec2(across, along) : ImVec2(along, across);
  };
  const float begin = is_down ? ruler.x0 : ruler.y0, ruler_end = is_down ? ruler.x1 : ruler.y1;
  const float end = is_down ? canvas.x1 : canvas.y1;
  const float zig = kZigPx * input.scale, tooth = kToothPx * input.scale;
  std::vector<ImVec2> points;
  for (const Mark& mark : marks_on(axis, input.scale)) {
    // The ruler's base line is broken: what lies before and behind is not one scale.
    list.AddRectFilled(point(mark.x - zig, begin), point(mark.x + zig, ruler_end),
                       input.theme.header);
    points.clear();
    float side = -1;
    for (float across = begin; across < end + tooth; across += tooth) {
      points.push_back(point(mark.x + side * zig, across));
      side = -side;
    }
    list.AddPolyline(points.data(), static_cast<int>(points.size()), input.theme.text_dim, 0,
                     input.scale);
  }
}

bool hover_cut_mark(const PanelInput& input, const TimeAxis& axis, ImVec2 mouse) {
  for (const Mark& mark : marks_on(axis, input.scale)) {
    if (std::fabs(mark.x - axis.along(mouse)) > kMarkPx * input.scale / 2) continue;
    ImGui::BeginTooltip();
    const std::string what =
        mark.count == 1 ? "cut out here" : "cut out here, at " + counted(mark.count, "place");
    show_text(length_label(mark.removed, *input.trace, 6) + " " + what, input.theme.text);
    show_text("no event on these lanes from " + axis.label(mark.first.begin, *input.trace) +
                  " to " + axis.label(mark.first.end, *input.trace),
              input.theme.text_dim);
    ImGui::EndTooltip();
    return true;
  }
  return false;
}

}  // namespace weft::app
