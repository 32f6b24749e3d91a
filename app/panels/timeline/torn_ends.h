// Where a state goes on beyond what was recorded: the edge at which it leaves is torn, instead of
// straight. Of a state of which only the end is there, a stub with a torn edge stands before it.
//
//   ███████████████▚       ▞▌
//   begun, never ended     ended, never begun
//
// Drawn over boxes only, and where the time from the trace's begin to a lone end is as wide as one:
// seen from further off both are as all else (the tooltip of an aggregate counts the first).
#pragma once

#include <memory>
#include <vector>

#include "app/panels/timeline/lane_band.h"
#include "app/session/losses.h"

namespace weft::app {

class TornEnds {
 public:
  // Forgets the stubs of the last frame.
  void begin_frame(const PanelInput& input);
  // Over the picture of the band.
  void draw(const PanelInput& input, const TimeAxis& axis, const LaneBand& band);
  // The tooltip of the stub under the pointer; false: there is none.
  bool hover(const PanelInput& input, const TimeAxis& axis, ImVec2 mouse) const;

 private:
  struct Stub {
    Area area;
    UnpairedEnds::At at;
  };
  void draw_stubs(const PanelInput& input, const TimeAxis& axis, const LaneBand& band);

  std::shared_ptr<const store::Trace> trace_;
  UnpairedEnds ends_;  // of trace_
  std::vector<Stub> stubs_;
};

}  // namespace weft::app
