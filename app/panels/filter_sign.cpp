#include "app/panels/filter_sign.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace weft::app {
namespace {

constexpr float kVeil = 0.55F;
constexpr float kNoteMarginPx = 8;
constexpr double kProgressSeconds = 0.25;  // from one look at it to the next

std::string progress_note(const ShownFilter& filter) {
  const bool is_counting = filter.hits && !filter.hits->is_done();
  if (!is_counting || filter.hits->progress().total == 0) return "filtering…";
  return fmt::format("filtering… {:.0f} %", 100 * filter.hits->progress().share());
}

}  // namespace

bool is_filter_pending(const PanelInput& input) {
  return (input.filter.dims() || input.filter.hides()) && !input.filter.compiled;
}

bool FilterSign::update(bool is_waiting, PanelOutput& output) {
  const double now = ImGui::GetTime();
  if (!is_waiting) {
    since_ = -1;
    return false;
  }
  if (since_ < 0) since_ = now;
  const double left = kPatienceSeconds - (now - since_);
  output.redraw.after(left > 0 ? left : kProgressSeconds);
  return left <= 0;
}

void FilterSign::draw_veil(const PanelInput& input, const Area& area) {
  ImGui::GetWindowDrawList()->AddRectFilled({area.x0, area.y0}, {area.x1, area.y1},
                                            faded(input.theme.background, kVeil));
}

void FilterSign::draw_note(const PanelInput& input, const Area& canvas) {
  const std::string note = progress_note(input.filter);
  const float margin = kNoteMarginPx * input.scale;
  ImGui::PushFont(input.fonts.small);
  const ImVec2 size = plate_size(note, input.scale);
  const ImVec2 at = {std::floor(std::max(canvas.x0, canvas.x1 - size.x - 2 * margin)),
                     std::floor(std::max(canvas.y0, canvas.y1 - size.y - margin))};
  draw_on_plate(*ImGui::GetWindowDrawList(), input.theme, at, size, input.theme.accent, note,
                input.scale);
  ImGui::PopFont();
}

}  // namespace weft::app
