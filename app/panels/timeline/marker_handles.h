// The flags of markers and the cursors A and B, taken hold of by the mouse: along a ruler that
// leads to the right as along one that leads downwards.
#pragma once

#include <functional>
#include <optional>

#include "app/panels/timeline/time_axis.h"

namespace weft::app {

// A ruler and the canvas beside it, along which time runs.
struct MarkedBand {
  Area ruler, canvas;
  AxisDirection direction = AxisDirection::kRight;
  std::function<float(Time)> place;    // along it, on the screen; what is far off lies just outside
  std::function<Time(float)> time_at;  // the other way round, of what is shown

  float along(ImVec2 point) const { return direction == AxisDirection::kRight ? point.x : point.y; }
};
// So far at most from what is shown does MarkedBand::place put a time: farther than a flag reaches.
inline constexpr double kFarPx = 40;
// From one repetition of a marker to the next, at least, for them to be seen one by one.
inline constexpr float kLeastPeriodPx = 6;

// The begin or the end of a marker that is nearest to the pointer, and near it, also where it
// stands again; nothing: none is.
std::optional<Time> marker_near(const PanelInput& input, const MarkedBand& band, ImVec2 pointer);

class MarkerHandles {
 public:
  // Alt+click sets A, Alt+Shift+click B; flags and cursors are dragged in the ruler, and flags have
  // a tooltip and a menu there. `snap` gives the time for a place of the pointer; cursors snap to
  // markers before that. True where the mouse is taken. Every frame.
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
