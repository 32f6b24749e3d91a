// Says upon a picture that it is not yet what the filter leaves: what is still as it was before is
// veiled, and "filtering… 40 %" stands at the lower right. Filters that take no longer than a
// moment show nothing of it, so that nothing flickers while one is typed.
#pragma once

#include "app/panels/panels.h"

namespace weft::app {

// Whether the filter is still being compiled: until then, nothing can be asked under it.
bool is_filter_pending(const PanelInput& input);

class FilterSign {
 public:
  static constexpr double kPatienceSeconds = 0.15;

  // Call in every frame, with whether the picture waits for the filter. Returns whether to show
  // that; asks for the frames in which it changes.
  bool update(bool is_waiting, PanelOutput& output);

  static void draw_veil(const PanelInput& input, const Area& area);
  // In the current window.
  static void draw_note(const PanelInput& input, const Area& canvas);

 private:
  double since_ = -1;  // ImGui's time; < 0: it does not wait
};

}  // namespace weft::app
