// The time axis of a panel: converts between times and places between its left and right (or upper
// and lower) edges, and handles the gestures that all time axes share (wheel: zoom, Shift+wheel:
// move, drag: move).
//
// Places are pixels of the screen; on a vertical axis, x means y. A picture is drawn by
// layout::TimeScale, which knows whole ticks; if the window begins within a tick, the picture is
// made from that tick on and shifted. If time is cut (OpenTrace::folded_time), the axis is linear
// in folded time; nothing else needs to know.
#pragma once

#include <imgui.h>

#include <functional>
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

  // The coordinate of a screen point along the axis, called x here, and the one across it.
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

  // The scale of the whole ticks that the window touches, and how far left of the axis they begin.
  layout::TimeScale scale() const;
  float shift_px() const;

  // The label of a time, since the trace's begin, as fine as a pixel, or as `step` if that is finer
  // and not 0.
  std::string label(Time t, const OpenTrace& trace, Duration step = {}) const;
};

// A time exact to the tick, in the form of the ruler.
std::string exact_label(Time t, const OpenTrace& trace);
// A duration in the trace's time, in the unit that is set.
std::string length_label(Duration d, const OpenTrace& trace, int digits = 4);
// Labels lengths with the fewest digits, of 3 to 9, that tell them apart: `label` makes the labels
// with as many, and answers whether they differ.
void with_enough_digits(const std::function<bool(int digits)>& label);
// "1.0 ms … 1.2 ms", told apart; one label where both are one length.
std::string length_range_label(Duration least, Duration most, const OpenTrace& trace);
std::string length_cell(Duration d, const OpenTrace& trace);
// The length of the whole trace, or "one instant".
std::string extent_label(const OpenTrace& trace);
// The range that is shown: of the whole trace, without the margin around it and the tick behind its
// last instant, so that it is as long as it is said to be elsewhere.
TimeRange range_shown(const OpenTrace& trace);

// Ticks of the axis, with x relative to its left edge; none where the trace holds no event. Needs
// the font that will draw them.
std::vector<layout::RulerTick> axis_ticks(const TimeAxis& axis, const OpenTrace& trace);
// Puts the date before the first label, if times are on the calendar and no label says one; on a
// vertical axis, in a line above it. Labels that it runs over become empty.
void say_date(std::vector<layout::RulerTick>& ticks, const TimeAxis& axis, const OpenTrace& trace);
// The x of labelled ticks, as whole pixels.
std::vector<float> grid_lines(const std::vector<layout::RulerTick>& ticks);
// Draws labels and ticks into [y0, y1), with the ticks standing on y1; on a vertical axis, into
// [x0, x1) and on x1. Labels that would touch one of the areas `over` are left out.
void draw_ruler(ImDrawList& list, const std::vector<layout::RulerTick>& ticks, const TimeAxis& axis,
                float y0, float y1, const Theme& theme, std::span<const Area> over = {});

inline constexpr double kZoomPerNotch = 1.25;

// Whether the wheel is to change the height of rows, not what the axis shows.
bool turns_height(const ImGuiIO& io);

// Whether the last press of the left button was the second of a double click, so that releasing it
// is not a click.
bool was_double_click();

// Handles wheel and drag over an axis; each panel has one.
class AxisGestures {
 public:
  // Call while the pointer is over the axis, or a drag of it goes on. `drags`: the left button
  // moves the view; the middle button, and the left one with Ctrl, always do.
  void handle(const TimeAxis& axis, const PanelInput& input, bool is_hovered, bool drags,
              PanelOutput& output);
  bool is_dragging() const { return drag_.has_value(); }
  // The distance dragged across the axis since the button went down, in the frame of a drag; 0
  // otherwise.
  float dragged_across() const { return dragged_across_; }
  uint32_t drag_gesture() const { return drag_ ? drag_->gesture : 0; }
  // Whether the button was released where it was pressed.
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
