// The names of lanes that stand side by side, above their columns: in as many lines as it takes for
// them to be read, cut where that is too many. (TM-02)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "core/layout/sequence.h"

namespace weft::app {

// For lanes so far apart.
float lane_header_height(const PanelInput& input, double pitch_px);

class LaneHeader {
 public:
  // `area`: above the diagram, as wide.
  void draw(const PanelInput& input, const layout::SequenceLanes& lanes, const Area& area);

  // What can be done with a lane: opens with the next draw_menu().
  void open_menu(LaneId lane) {
    menu_lane_ = lane;
    opens_menu_ = true;
  }
  // Within the panel's ImGui window.
  void draw_menu(const PanelInput& input, PanelOutput& output);

 private:
  struct Name {
    LaneId lane;
    std::string text;
    float width = 0;
    ImU32 color = 0;
  };
  // Names that take `room_px` at most, about.
  void measure(const PanelInput& input, const layout::SequenceLanes& lanes, float room_px);

  std::vector<Name> names_;  // from left to right, of …
  std::shared_ptr<const TraceModel> model_;
  float font_px_ = 0, room_px_ = 0;
  size_t letters_ = 0;  // that fonts had
  LaneId menu_lane_ = LaneId::none();
  bool opens_menu_ = false;
};

// The full name of the lane in whose column the pointer is.
void show_lane_tooltip(const PanelInput& input, LaneId lane);

}  // namespace weft::app
