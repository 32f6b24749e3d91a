// Runs of repeated exchanges in the sequence diagram: which there are, and where they are opened.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/panels/hairline.h"
#include "app/panels/sequence/sequence_panel.h"
#include "app/panels/timeline/lane_tree.h"
#include "app/panels/timeline/time_axis.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kMarkPx = 7;    // half of the square that a triangle stands in
constexpr float kIndentPx = 9;  // of its middle, from the left edge

}  // namespace

void SequencePicture::add_runs() {
  const auto y_of = [&](size_t arrow) {
    return static_cast<float>(time_.ends()[arrow].send_y - shift_px_);
  };
  const std::vector<layout::MessageRun>& runs = drawn_.messages->runs;
  for (size_t i = 0; i < runs.size(); ++i) {
    const float y0 = y_of(runs[i].first), y1 = y_of(runs[i].first + runs[i].arrows - 1);
    if (y1 >= 0 && y0 <= area_.height()) runs_.push_back({i, y0, y1});
  }
}

// For a run that begins above the picture, the mark is at its top, so that it can be closed.
ImVec2 SequencePicture::mark_of_run(const PanelInput& input, float y0) const {
  const float y = std::max(y0, (kMarkPx + 1) * input.scale);
  return {std::floor(area_.x0 + kIndentPx * input.scale) + 0.5F, std::floor(area_.y0 + y) + 0.5F};
}

void SequencePicture::draw_runs(const PanelInput& input) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float half = kMarkPx * input.scale;
  const layout::MessageRun* hovered = run_at(input, ImGui::GetIO().MousePos);
  for (const PlacedRun& placed : runs_) {
    const layout::MessageRun& run = drawn_.messages->runs[placed.index];
    const ImVec2 mark = mark_of_run(input, placed.y0);
    const bool is_hovered = &run == hovered;
    const ImU32 color = is_hovered ? input.theme.text : input.theme.text_dim;
    const float end = std::floor(area_.y0 + std::min(placed.y1, area_.height())) + 0.5F;
    if (end > mark.y + half) {
      draw_hairline_down(list, mark.x, mark.y + half, end, color);
      draw_hairline_across(list, end, mark.x, mark.x + half, color);
    }
    list.AddRectFilled({mark.x - half, mark.y - half}, {mark.x + half, mark.y + half},
                       input.theme.popup, 3 * input.scale);
    draw_fold_mark(input, mark, !run.is_open, is_hovered);
  }
}

const layout::MessageRun* SequencePicture::run_at(const PanelInput& input, ImVec2 mouse) const {
  const float half = kMarkPx * input.scale;
  for (const PlacedRun& placed : runs_) {
    const ImVec2 mark = mark_of_run(input, placed.y0);
    if (std::fabs(mouse.x - mark.x) <= half && std::fabs(mouse.y - mark.y) <= half)
      return &drawn_.messages->runs[placed.index];
  }
  return nullptr;
}

const layout::MessageRun* SequencePicture::run_of(const layout::PlacedArrow& arrow) const {
  const std::vector<layout::MessageRun>& runs = drawn_.messages->runs;
  const auto after = std::ranges::upper_bound(runs, arrow.index, {}, &layout::MessageRun::first);
  if (after == runs.begin()) return nullptr;
  const layout::MessageRun& run = *std::prev(after);
  return arrow.index < run.first + run.arrows ? &run : nullptr;
}

Command SequencePanel::toggle(const layout::MessageRun& run) {
  return {"sequence.run",
          {{"from", run.sent.begin.ticks}, {"to", run.sent.end.ticks}, {"open", !run.is_open}}};
}

bool SequencePanel::handle_runs(const PanelInput& input, bool is_clicked, PanelOutput& output) {
  const layout::MessageRun* run = diagram_.run_at(input, ImGui::GetIO().MousePos);
  if (!run) return false;
  ImGui::BeginTooltip();
  show_text(fmt::format("{}, {} times in {}", counted(run->messages, "message"),
                        format_count(run->times), length_label(run->sent.length(), *input.trace)));
  show_text(run->is_open ? "click: as one" : "click: each of them", input.theme.text_dim);
  ImGui::EndTooltip();
  if (is_clicked) output.commands.push_back(toggle(*run));
  return true;
}

}  // namespace weft::app
