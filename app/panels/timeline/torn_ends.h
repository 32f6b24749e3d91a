// Draws torn edges where a state continues beyond what was recorded; if only the end of a state was
// recorded, a stub with a torn edge is drawn before that end.
//
//   ███████████████▚       ▞▌
//   begun, never ended     ended, never begun
//
// Drawn only over boxes, and only if the time from the trace's begin to a lone end is as wide as a
// box: at lower zoom both look like everything else (the tooltip of an aggregate counts the
// former).
#pragma once

#include <vector>

#include "app/panels/timeline/lane_band.h"
#include "app/session/losses.h"

namespace weft::app {

class TornEnds {
 public:
  // Clears the stubs of the last frame.
  void begin_frame(const PanelInput& input);
  // Draws over the picture of the band.
  void draw(const PanelInput& input, const TimeAxis& axis, const LaneBand& band);
  // Shows the tooltip of the stub under the pointer; false: there is none.
  bool hover(const PanelInput& input, const TimeAxis& axis, ImVec2 mouse) const;

 private:
  struct Stub {
    Area area;
    UnpairedEnds::At at;
  };
  void draw_stubs(const PanelInput& input, const TimeAxis& axis, const LaneBand& band);

  store::TracePtr trace_;
  UnpairedEnds ends_;  // of trace_
  std::vector<Stub> stubs_;
};

}  // namespace weft::app
