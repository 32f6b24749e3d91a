// Measures what a frame costs the frame thread and the GPU, for tour and replay.
#pragma once

#include <functional>

#include "app/window/host_offscreen.h"

namespace weft::app {

struct FrameCost {
  double cpu_ms = 0;  // of this thread, from input to submission
  double gpu_ms = 0;  // from submission to completion
};

// Runs `act` and draws a frame. If this thread makes the pixels, that time counts as the
// renderer's, not the frame's.
FrameCost measure_frame(OffscreenHost& host, const std::function<void()>& act);

}  // namespace weft::app
