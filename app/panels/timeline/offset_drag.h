// Ctrl+drag on the ruler of a coupled trace: moves the trace along the time line that it shares.
#pragma once

#include <cstdint>
#include <optional>

#include "app/panels/timeline/time_axis.h"

namespace weft::app {

class OffsetDrag {
 public:
  // Call in every frame while the pointer is over the ruler or the drag goes on. Returns true if
  // the mouse is used for this.
  bool handle(const TimeAxis& axis, const OpenTrace& trace, bool is_on_ruler, PanelOutput& output);

 private:
  struct Drag {
    float from_x = 0;
    Duration shift;  // the trace's shift when the drag began
    uint32_t gesture = 0;
  };
  std::optional<Drag> drag_;
};

}  // namespace weft::app
