#include "app/panels/timeline/offset_drag.h"

#include <cmath>

namespace weft::app {

bool OffsetDrag::handle(const TimeAxis& axis, const OpenTrace& trace, bool is_on_ruler,
                        PanelOutput& output) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool begins = is_on_ruler && io.KeyCtrl && trace.is_coupled() &&
                      ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (begins) drag_ = Drag{io.MousePos.x, trace.view().offset, new_gesture()};
  if (!drag_) return false;
  output.is_direct = true;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const double ticks =
      std::round(static_cast<double>(io.MousePos.x - drag_->from_x) * axis.ticks_per_px());
  const Duration offset = drag_->offset + Duration{static_cast<int64_t>(ticks)};
  if (offset != trace.view().offset) {
    output.commands.push_back({"trace.offset", {{"to", offset.ticks}}, drag_->gesture});
  }
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) drag_.reset();
  return true;
}

}  // namespace weft::app
