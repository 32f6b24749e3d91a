// Marks where something was lost: a tick in the ruler and, on the lane of the loss (or on all
// lanes, if it belongs to none), a notch or the hatched gap that it left. A notch covers nothing
// wholly: an event at the same time stands below its tip. Marks that would overlap are joined into
// one, which tells how many losses it stands for.
//
// Of a kind only the first places are kept. Where there are more losses, their lanes are hatched
// palely from the last known place to the end of the trace, with a band along the ruler.
//
// What is amiss but shown (Loss::is_damage is false) is marked only while losses.next shows it.
#pragma once

#include <vector>

#include "app/panels/timeline/lane_band.h"
#include "app/session/losses.h"

namespace weft::app {

class LossMarks {
 public:
  // Clears the marks of the last frame, and draws those of the ruler.
  void draw_ruler(const PanelInput& input, const TimeAxis& axis, const Area& ruler);
  // Draws the marks of the lanes, over their picture.
  void draw_lanes(const PanelInput& input, const TimeAxis& axis, const LaneBand& band);
  // Shows the tooltip of the mark under the pointer; false: there is none.
  bool hover(const PanelInput& input, const TimeAxis& axis, ImVec2 mouse) const;
  // The same where losses without known places may lie. Less urgent: a lane is full of them.
  bool hover_further(const PanelInput& input, ImVec2 mouse) const;

 private:
  struct Mark {
    float x0, x1, y0, y1;
    size_t first;  // in placed_
    size_t count;
  };
  struct Trail {
    Area area;
    size_t of;  // in further_
  };
  void update(const PanelInput& input);
  // Where the losses without known places may lie, between two heights; nothing is to be drawn if
  // it is empty.
  Area trail(const TimeAxis& axis, const FurtherLosses& further, const Area& within) const;
  void draw_trails(const PanelInput& input, const TimeAxis& axis, const LaneBand& band);
  bool is_marked(const PanelInput& input, const PlacedLoss& loss) const;
  // Adds a mark; false if the previous mark on its line absorbs it.
  bool add(const PanelInput& input, const Mark& mark);

  store::TracePtr trace_;
  std::vector<PlacedLoss> placed_;      // of trace_
  std::vector<FurtherLosses> further_;  // of trace_
  std::vector<Mark> marks_;
  std::vector<Trail> trails_;
};

}  // namespace weft::app
