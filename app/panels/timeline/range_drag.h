// Drags over the timeline that select a range of time, or zoom.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/panels/timeline/time_axis.h"

namespace weft::app {

class RangeDrag {
 public:
  enum class Purpose : uint8_t { kSelect, kSelectWithLanes, kZoomIn, kZoomOut, kRowHeight };

  // Begins a drag at a button press over the ruler or the canvas; false: this press does not begin
  // one.
  bool begin(const PanelInput& input, const TimeAxis& axis, bool is_on_ruler);
  bool is_active() const { return drag_.has_value(); }
  // Call in every frame while the drag goes on. `lanes_between` returns the lanes between two
  // places across the axis.
  void follow(const PanelInput& input, const TimeAxis& axis, const Area& area,
              const std::function<std::vector<LaneId>(float, float)>& lanes_between,
              PanelOutput& output);
  // In the frame in which the drag ended: whether the button was released where it was pressed.
  bool was_clicked() const { return clicked_ == ImGuiMouseButton_Left; }
  bool was_right_clicked() const { return clicked_ == ImGuiMouseButton_Right; }

 private:
  struct Drag {
    Purpose purpose = Purpose::kSelect;
    int button = 0;
    bool is_on_ruler = false;
    ImVec2 from;
    Time from_time;
    int sign = 1;  // for kRowHeight: 1 makes rows higher
    double row_height_px = 0;
    uint32_t gesture = 0;
    bool has_moved = false;
  };
  TimeRange range(const TimeAxis& axis, const Area& area) const;
  void move(const PanelInput& input, const TimeAxis& axis, const Area& area,
            const std::function<std::vector<LaneId>(float, float)>& lanes_between,
            PanelOutput& output);
  void finish(const PanelInput& input, const TimeAxis& axis, const Area& area, PanelOutput& output);

  std::optional<Drag> drag_;
  std::optional<int> clicked_;  // the button
};

}  // namespace weft::app
