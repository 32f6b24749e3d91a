// Where something was lost: a tick in the ruler and, on its lane, a notch or the gap that it left,
// hatched; on all lanes where it is of none.
// Marks that would lie upon each other are one, which tells how many losses it stands for.
//
// What was only repaired (Loss::is_damage is false) is marked while it is gone to (losses.next).
#pragma once

#include <memory>
#include <vector>

#include "app/panels/timeline/lane_band.h"
#include "app/session/losses.h"

namespace weft::app {

class LossMarks {
 public:
  // Forgets the marks of the last frame and draws those of the ruler.
  void draw_ruler(const PanelInput& input, const TimeAxis& axis, const Area& ruler);
  // Those of the lanes, over their picture.
  void draw_lanes(const PanelInput& input, const TimeAxis& axis, const LaneBand& band);
  // The tooltip of the mark under the pointer; false: there is none.
  bool hover(const PanelInput& input, const TimeAxis& axis, ImVec2 mouse) const;

 private:
  struct Mark {
    float x0, x1, y0, y1;
    size_t first;  // in placed_
    size_t count;
  };
  void update(const PanelInput& input);
  bool is_marked(const PanelInput& input, const PlacedLoss& loss) const;
  // At [x0, x1) × [y0, y1); false where the mark before it on this line takes it in.
  bool add(const PanelInput& input, const Mark& mark);

  std::shared_ptr<const store::Trace> trace_;
  std::vector<PlacedLoss> placed_;  // of trace_
  std::vector<Mark> marks_;
};

}  // namespace weft::app
