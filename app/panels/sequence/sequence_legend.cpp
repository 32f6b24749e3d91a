// The notes and legends at the bottom of the sequence diagram: what is not drawn as arrows, and the
// meaning of widths and signs.
#include <fmt/format.h>

#include <cmath>

#include "app/panels/sequence/sequence_panel.h"
#include "core/base/text.h"

namespace weft::app {

std::string SequencePanel::note() const {
  const std::shared_ptr<const layout::Messages>& messages = diagram_.content().messages;
  if (!messages) return "reading…";
  // Possible faults come first.
  std::vector<std::string> parts;
  if (messages->dropped > 0) parts.push_back(format_count(messages->dropped) + " dropped");
  if (messages->filtered_out > 0)
    parts.push_back(format_count(messages->filtered_out) + " filtered out");
  if (messages->on_hidden_lanes > 0)
    parts.push_back(format_count(messages->on_hidden_lanes) + " on hidden lanes");
  if (messages->is_outline) {
    parts.emplace_back(messages->is_bound ? "reading which are shown…" : "reading who told whom…");
  } else if (messages->in_bars > 0) {
    parts.push_back(format_count(messages->in_bars) + " in bars");
  }
  if (!messages->is_passing_whole) parts.emplace_back("some that pass are not found");
  return fmt::format("{}{}{}{} in and around the window", fmt::join(parts, ", "),
                     parts.empty() ? "" : ", of ", messages->is_bound ? "at most " : "",
                     counted(messages->total(), "message"));
}

void SequencePanel::draw_size_legend(const PanelInput& input, const Area& canvas,
                                     float& bottom) const {
  constexpr uint64_t kSizes[] = {16, 256, 4096, 65'536};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(input.fonts.small);
  const float step = ImGui::GetFontSize() + 4 * input.scale;
  const float left = canvas.x0 + 10 * input.scale, width = 92 * input.scale;
  float y = bottom - step * static_cast<float>(std::size(kSizes));
  list.AddRectFilled({left - 4 * input.scale, y - 4 * input.scale},
                     {left + width, bottom + 4 * input.scale}, input.theme.popup, 4 * input.scale);
  bottom = y - 12 * input.scale;
  for (const uint64_t bytes : kSizes) {
    const float middle = std::floor(y + step / 2);
    list.AddLine({left, middle}, {left + 26 * input.scale, middle}, input.theme.text_dim,
                 input.scale * (0.4F + layout::size_width_px(bytes)));
    draw_text(list, {left + 34 * input.scale, y}, input.theme.text_dim, format_bytes(bytes), width);
    y += step;
  }
  ImGui::PopFont();
}

}  // namespace weft::app
