// Ctrl+drag on the ruler of a coupled trace: moves the trace along the time line that it shares.
#pragma once

#include <cstdint>
#include <optional>

#include "app/panels/timeline/time_axis.h"

namespace weft::app {

class OffsetDrag {
 public:
  // Every frame while the pointer is over the ruler, or the drag goes on; true: it is this.
  bool handle(const TimeAxis& axis, const OpenTrace& trace, bool is_on_ruler, PanelOutput& output);

 private:
  struct Drag {
    float from_x = 0;
    Duration shift;  // of the trace, as it began
    uint32_t gesture = 0;
  };
  std::optional<Drag> drag_;
};

}  // namespace weft::app
