// The column left of the timeline's canvas: names and fold marks of the lanes beside their rows, a
// field that filters them by name, a menu on each (lane_menu.h), and dragging them into another
// order. While a filter is set, the number of hits of each lane stands at the right.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/timeline/lane_hits.h"
#include "app/panels/timeline/lane_labels.h"
#include "app/panels/timeline/lane_menu.h"
#include "core/layout/lanes.h"

namespace weft::app {

// Draws the triangle that folds and unfolds the lanes below a line.
void draw_fold_mark(const PanelInput& input, ImVec2 middle, bool is_folded, bool is_hovered);

class LaneTree {
 public:
  // The value of a variable's row at the crosshair; empty: there is no crosshair. May be null.
  using ValueOf = std::function<std::string(const layout::DisplayRow&)>;

  // Draws the lines visible at this scroll, in `area`; `lanes` are the model's lanes or its pinned
  // lanes.
  void draw(const PanelInput& input, const layout::Lanes& lanes, const Area& area, double scroll_px,
            const ValueOf& value_of, PanelOutput& output);
  // Draws the corner above: the name filter, the mouse mode, and how many lanes are left out.
  void draw_corner(const PanelInput& input, const Area& area, PanelOutput& output);
  // How far the lanes in `area` scroll in this frame because one of them is dragged to its edge, in
  // pixels of the screen, and the gesture that it is.
  struct DragScroll {
    double px = 0;
    uint32_t gesture = 0;
  };
  DragScroll drag_scroll(const PanelInput& input, const Area& area) const;
  // Call after both: handles drags under way, and the menu.
  void finish(const PanelInput& input, PanelOutput& output);

 private:
  // The rows of one lane that are visible, as one line of the tree.
  struct Line {
    const layout::DisplayRow* first = nullptr;
    const layout::Lanes* lanes = nullptr;
    float y0 = 0, y1 = 0;  // of its visible part, on the screen
    float end = 0;         // lower end of what counts as the line: with the gap below
    bool is_below_selected = false;
  };
  struct Drag {
    LaneId lane;
    bool can_fold = false;
    bool is_on_mark = false;
    float from_y = 0;
    bool has_moved = false;
    std::optional<layout::LaneMove> drop = std::nullopt;
    uint32_t gesture = new_gesture();
  };

  static void tell_name(const PanelInput& input, LaneId lane);
  static void tell(const PanelInput& input, LaneId lane, const std::string& name,
                   uint32_t rows_left_out = 0);
  void draw_line(const PanelInput& input, const Area& area, const Line& line,
                 const ValueOf& value_of);
  float draw_hits(const PanelInput& input, const layout::DisplayRow& row, float right,
                  float y) const;
  static float draw_value_axis(const PanelInput& input, const layout::DisplayRow& row, float right,
                               float bottom);
  void handle_line(const PanelInput& input, const Line& line, bool is_on_mark, PanelOutput& output);
  void follow_drag(const PanelInput& input, const Area& area, const Line& line);
  void draw_filter(const PanelInput& input, float width, PanelOutput& output);
  float draw_mode(const PanelInput& input, const Area& area, float right,
                  PanelOutput& output) const;

  LaneHits hits_;
  LaneLabels labels_;
  std::optional<Drag> drag_;
  uint64_t left_ = 0;  // serial of the last Reveal whose lane is no longer marked
  LaneMenu menu_;
  std::array<char, 256> filter_ = {};
  bool is_editing_ = false;
  uint32_t filter_gesture_ = 0;
};

}  // namespace weft::app
