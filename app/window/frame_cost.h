// What a frame costs the thread that makes it, and the GPU: for tour and replay.
#pragma once

#include <functional>
#include <vector>

#include "app/window/host_offscreen.h"
#include "app/window/run.h"

namespace weft::app {

struct FrameCost {
  double cpu_ms = 0;  // of this thread, from input to submission
  double gpu_ms = 0;  // from submission to completion
};

// Runs `act` and draws a frame. Where pixels are made by this thread, making them is the renderer's
// time, not the frame's.
FrameCost measure_frame(OffscreenHost& host, const std::function<void()>& act);

Percentiles percentiles_of(std::vector<double> values);

}  // namespace weft::app
