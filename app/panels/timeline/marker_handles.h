// Mouse handling for the flags of markers and the cursors A and B, on horizontal and vertical
// rulers.
#pragma once

#include <functional>
#include <optional>

#include "app/panels/timeline/time_axis.h"

namespace weft::app {

// A ruler and the canvas beside it, along which time runs.
struct MarkedBand {
  Area ruler, canvas;
  AxisDirection direction = AxisDirection::kRight;
  std::function<float(Time)> place;    // of a time, along it; far-off times lie just outside
  std::function<Time(float)> time_at;  // the inverse, for what is shown

  float along(ImVec2 point) const { return direction == AxisDirection::kRight ? point.x : point.y; }
};
// MarkedBand::place() puts a time at most this far outside the visible part: farther than a flag
// reaches.
inline constexpr double kFarPx = 40;
// The least distance between repetitions of a marker at which they are drawn one by one.
inline constexpr float kLeastPeriodPx = 6;

// The begin or end of a marker (or of one of its repetitions) that is nearest to the pointer and
// close to it; nullopt: none is.
std::optional<Time> marker_near(const PanelInput& input, const MarkedBand& band, ImVec2 pointer);

class MarkerHandles {
 public:
  // Call in every frame. Alt+click sets A, Alt+Shift+click B; flags and cursors can be dragged in
  // the ruler, and flags have a tooltip and a menu there. `snap` converts a place of the pointer
  // into a time; cursors snap to markers first. Returns true if the mouse is taken.
  bool handle(const PanelInput& input, const MarkedBand& band,
              const std::function<Time(ImVec2)>& snap, PanelOutput& output);

 private:
  enum class Handle : uint8_t { kNone, kA, kB, kMarker };
  struct Drag {
    Handle handle = Handle::kNone;
    uint32_t marker = 0;  // kMarker
    float from = 0;       // along the band
    bool has_moved = false;
    uint32_t gesture = 0;
  };
  static Drag handle_at(const PanelInput& input, const MarkedBand& band);
  void follow_drag(const PanelInput& input, const MarkedBand& band,
                   const std::function<Time(ImVec2)>& snap, PanelOutput& output);
  void show_menu(const PanelInput& input, PanelOutput& output) const;

  Drag drag_;
  uint32_t menu_marker_ = 0;
};

}  // namespace weft::app
