// Joins notches of the wheel, or presses of a key, in quick succession into one gesture: one line
// of the journal, one step of undo.
#pragma once

#include <imgui.h>

#include <cstdint>

#include "app/panels/panels.h"

namespace weft::app {

class RunGesture {
 public:
  static constexpr double kPauseSeconds = 0.5;  // steps closer together are one gesture

  // The number of the gesture to which a step taken now belongs.
  uint32_t number() {
    const double now = ImGui::GetTime();
    if (last_seconds_ < 0 || now - last_seconds_ > kPauseSeconds) number_ = new_gesture();
    last_seconds_ = now;
    return number_;
  }

 private:
  uint32_t number_ = 0;
  double last_seconds_ = -1;
};

}  // namespace weft::app
