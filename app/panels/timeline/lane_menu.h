// The menu of a lane's name: hides, pins, folds, selects and groups the lane (together with all
// selected lanes, if it is one of them), shows hidden lanes again, and sets the order of all lanes.
#pragma once

#include <array>
#include <vector>

#include "app/panels/color_pick.h"
#include "app/panels/panels.h"

namespace weft::app {

bool is_pinned(const PanelInput& input, LaneId lane);
Command lane_command(const char* name, LaneId lane);

class LaneMenu {
 public:
  void open(LaneId lane);
  // Call once a frame, even while the menu is closed: a dialog that it leads to may be open.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  // Returns true if the lane is to be grouped, or its group renamed.
  bool show_items(const PanelInput& input, PanelOutput& output);
  bool show_lane_items(const PanelInput& input, PanelOutput& output);
  static void show_hidden(const PanelInput& input, PanelOutput& output);
  void show_order_items(const PanelInput& input, PanelOutput& output) const;
  std::vector<LaneId> lanes(const PanelInput& input) const;
  void draw_naming(const PanelInput& input, bool opens, PanelOutput& output);

  LaneId lane_;
  ColorPick color_pick_;
  std::array<char, 256> name_ = {};  // name typed for the group
};

}  // namespace weft::app
