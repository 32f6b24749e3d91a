// Where a trace is looked at, and the steps that led there.
//
// A trace has one, which all panels of the trace show; a panel that is pinned to a view has its
// own. A plain value.
#pragma once

#include <cstdint>
#include <vector>

#include "app/time_window.h"
#include "app/view_filter.h"

namespace weft::app {

// What undo restores.
struct View {
  TimeWindow window;
  double scroll_px = 0;  // of the lanes, from the top
  Duration offset;       // of the trace on the time line it shares with others (time_line.h)
  ViewFilter filter = {};
  bool operator==(const View&) const = default;
};

// A view that was left. Steps taken together (several traces moved at once) have one number; later
// steps have greater ones, in whatever trace.
struct ViewStep {
  View view;
  uint64_t number = 0;
};

struct ViewHistory {
  View view;
  bool follows = true;    // shows the whole trace, however it grows
  bool is_apart = false;  // a panel's own: no other trace follows
  uint32_t last_gesture = 0;
  std::vector<ViewStep> undo, redo;
};

}  // namespace weft::app
