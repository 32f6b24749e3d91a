#include "app/panels/timeline/offset_drag.h"

#include <cmath>

namespace weft::app {

bool OffsetDrag::handle(const TimeAxis& axis, const OpenTrace& trace, bool is_on_ruler,
                        PanelOutput& output) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool begins = is_on_ruler && io.KeyCtrl && trace.is_coupled() &&
                      ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (begins) drag_ = Drag{io.MousePos.x, trace.shift(), new_gesture()};
  if (!drag_) return false;
  output.is_direct = true;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const double ticks =
      std::round(static_cast<double>(io.MousePos.x - drag_->from_x) * axis.ticks_per_px());
  const Duration shift = drag_->shift + Duration{static_cast<int64_t>(ticks)};
  if (shift != trace.shift())
    output.commands.push_back({"trace.offset", {{"to", shift.ticks}}, drag_->gesture});
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) drag_.reset();
  return true;
}

}  // namespace weft::app
