// The time axis of a panel: what lies where between its left and its right edge, or between its
// upper and its lower one, and the gestures that all time axes share (wheel: zoom, Shift+wheel:
// move, drag: move).
//
// Pixels of the screen; of an axis that leads downwards, what is called x is a y. A picture is
// drawn by layout::TimeScale, which knows whole ticks; where the window begins within a tick, the
// picture is made from that tick on and shifted. Where time is cut (OpenTrace::cuts), the axis is
// linear in folded time, and only here is that known.
#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/run_gesture.h"
#include "app/session/commands.h"
#include "app/view/time_window.h"
#include "core/layout/ruler.h"
#include "core/layout/scale.h"

namespace weft::app {

enum class AxisDirection : uint8_t { kRight, kDown };

struct TimeAxis {
  TimeWindow window;
  FoldedTime time;    // how the trace's time is cut
  TimeWindow folded;  // the window without its cuts
  float x0 = 0;
  float width = 1;
  AxisDirection direction = AxisDirection::kRight;

  TimeAxis(const TimeWindow& shown, float left, float right, FoldedTime folds = {},
           AxisDirection leads = AxisDirection::kRight)
      : window(shown),
        time(std::move(folds)),
        folded(time.fold(shown)),
        x0(left),
        width(right > left + 1 ? right - left : 1),
        direction(leads) {}

  // Of a point of the screen, what the axis calls its x, and the other one.
  float along(ImVec2 point) const { return direction == AxisDirection::kRight ? point.x : point.y; }
  float across(ImVec2 point) const {
    return direction == AxisDirection::kRight ? point.y : point.x;
  }

  double x_from_time(Time t) const { return x0 + folded.fraction_from_time(time.fold(t)) * width; }
  double fraction_from_x(double x) const { return (x - x0) / width; }
  Time time_from_x(double x) const {
    return time.unfold(folded.time_from_fraction(fraction_from_x(x)));
  }
  double ticks_per_px() const { return folded.length / width; }

  // Of the whole ticks that the window touches, and how far left of the axis they begin.
  layout::TimeScale scale() const;
  float shift_px() const;

  // How a time reads: since the trace's begin, as fine as a pixel, or as `step` where that is less
  // and not 0.
  std::string label(Time t, const OpenTrace& trace, Duration step = {}) const;
};

// A time to the tick, as the ruler says times.
std::string exact_label(Time t, const OpenTrace& trace);
// A length of its time, in the unit that is asked for.
std::string length_label(Duration d, const OpenTrace& trace, int digits = 4);
std::string length_cell(Duration d, const OpenTrace& trace);
// Of all that there is: an instant has none.
std::string extent_label(const OpenTrace& trace);

// Ticks of the axis, x relative to its left edge. Needs the font that will draw them.
std::vector<layout::RulerTick> axis_ticks(const TimeAxis& axis, const OpenTrace& trace);
// x of those with a label, as whole pixels.
std::vector<float> grid_lines(const std::vector<layout::RulerTick>& ticks);
// Draws labels and ticks into [y0, y1); the ticks stand on y1. Where the axis leads downwards: into
// [x0, x1), and on x1. No label is drawn where one of the areas `over` it is.
void draw_ruler(ImDrawList& list, const std::vector<layout::RulerTick>& ticks, const TimeAxis& axis,
                float y0, float y1, const Theme& theme, std::span<const Area> over = {});

inline constexpr double kZoomPerNotch = 1.25;

// The wheel is to change the height of rows, not what is seen of the axis.
bool turns_height(const ImGuiIO& io);

// The last press of the left button was the second of a double click: letting go of it is no click.
bool was_double_click();

// Wheel and drag over an axis; a panel keeps one.
class AxisGestures {
 public:
  // Call while the pointer is over the axis, or a drag of it goes on. `drags`: the left button
  // moves the view; the middle button, and the left one with Ctrl, always do.
  void handle(const TimeAxis& axis, const PanelInput& input, bool is_hovered, bool drags,
              PanelOutput& output);
  bool is_dragging() const { return drag_.has_value(); }
  // Across the axis since the button went down, in the frame of the drag; 0 otherwise.
  float dragged_across() const { return dragged_across_; }
  uint32_t drag_gesture() const { return drag_ ? drag_->gesture : 0; }
  // The button went up where it had gone down.
  bool was_clicked() const { return was_clicked_; }

 private:
  void turn_wheel(const TimeAxis& axis, const OpenTrace& trace, PanelOutput& output);

  struct Drag {
    ImVec2 from;
    TimeWindow folded;
    uint32_t gesture;
    int button;
    bool has_moved = false;
  };
  std::optional<Drag> drag_;
  float dragged_across_ = 0;
  bool was_clicked_ = false;
  RunGesture wheel_;
};

}  // namespace weft::app
