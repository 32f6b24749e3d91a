// The user's markers over a time axis: lines and tinted ranges with their names, the cursors A and
// B with the time between them; and how they are set and dragged.
//
//   ruler  ─┬──────A── 12.5 ms ─┬───B──
//           ▼ start             █ warm-up          flags: a name, a hint for the note
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/panels/time_axis.h"

namespace weft::app {

ImU32 color_of(const Marker& marker, uint8_t alpha = 255);

// A ruler and the canvas beside it, along which time runs to the right or downwards.
struct MarkedBand {
  Area ruler, canvas;
  bool runs_down = false;
  std::function<float(Time)> place;  // along it, on the screen; what is far off lies just outside
};
// Where the marker stands again in what is shown; where that is too dense to be seen, a strip of
// the ruler says so. `period_px`: how far it is from one to the next.
void draw_repetitions(const PanelInput& input, const MarkedBand& band, const Marker& marker,
                      TimeRange shown, double period_px);

// "B − A = 12.5 ms"; empty where there are not both, or at the same time.
std::string difference_text(const PanelInput& input);

// Lines without names, for strips such as the overview.
void draw_marker_ticks(const PanelInput& input, const TimeAxis& axis, const Area& area);

// The tooltip of a marker's flag.
void show_marker_tip(const PanelInput& input, const Marker& marker);

class MarkerLayer {
 public:
  // Over the ruler and the canvas below it.
  void draw(const PanelInput& input, const TimeAxis& axis, const Area& ruler, const Area& canvas);
  // Alt+click sets A, Alt+Shift+click B; flags and cursors are dragged in the ruler. `snap` gives
  // the time for a place of the pointer. True where it has taken the mouse.
  bool handle(const PanelInput& input, const TimeAxis& axis, const Area& ruler, const Area& canvas,
              const std::function<Time(ImVec2)>& snap, PanelOutput& output);

 private:
  enum class Handle : uint8_t { kNone, kA, kB, kMarker };
  struct Drag {
    Handle handle = Handle::kNone;
    uint32_t marker = 0;  // kMarker
    float from_x = 0;
    bool has_moved = false;
    uint32_t gesture = 0;
  };
  Drag handle_at(const PanelInput& input, const TimeAxis& axis, float x) const;
  void follow_drag(const PanelInput& input, const std::function<Time(ImVec2)>& snap,
                   PanelOutput& output);
  void show_menu(const PanelInput& input, PanelOutput& output) const;

  Drag drag_;
  uint32_t menu_marker_ = 0;
};

}  // namespace weft::app
