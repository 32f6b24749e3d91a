// The time window as it is drawn: it moves to its target within about 0.1 s, so that the eye can
// follow. A plain value.
#pragma once

#include <cstdint>

#include "app/view/time_window.h"

namespace weft::app {

class EasedWindow {
 public:
  // Moves `seconds` further towards `target`; jumps to it if `seconds` is 0, if another trace is
  // shown, if it is far away, or if `is_direct` (the view is being dragged).
  void step(const TimeWindow& target, uint64_t trace_id, double seconds, bool is_direct);
  const TimeWindow& shown() const { return shown_; }
  bool is_moving() const { return is_moving_; }

 private:
  TimeWindow shown_;
  uint64_t trace_id_ = 0;
  bool is_moving_ = false;
};

}  // namespace weft::app
