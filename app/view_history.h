// Where a trace is looked at, and the steps that led there.
//
// A trace has one, which all linked panels show; a pinned panel has its own. A plain value.
#pragma once

#include <cstdint>
#include <vector>

#include "app/time_window.h"

namespace weft::app {

// What undo restores.
struct View {
  TimeWindow window;
  double scroll_px = 0;  // of the lanes, from the top
  bool operator==(const View&) const = default;
};

struct ViewHistory {
  View view;
  bool follows = true;  // shows the whole trace, however it grows
  uint32_t last_gesture = 0;
  std::vector<View> undo, redo;
};

}  // namespace weft::app
