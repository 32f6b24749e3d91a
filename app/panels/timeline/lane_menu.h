// The menu of a lane's name: hides, pins, folds, selects and groups it (with all that are selected,
// where it is one of them), shows again what was hidden, and says in which order all of them are.
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
  // Once a frame, also while it is closed: what it leads to may be open.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  // True: the lane is to be grouped, or its group called otherwise.
  bool show_items(const PanelInput& input, PanelOutput& output);
  bool show_lane_items(const PanelInput& input, PanelOutput& output);
  static void show_hidden(const PanelInput& input, PanelOutput& output);
  void show_order_items(const PanelInput& input, PanelOutput& output) const;
  std::vector<LaneId> lanes(const PanelInput& input) const;
  void draw_naming(const PanelInput& input, bool opens, PanelOutput& output);

  LaneId lane_;
  ColorPick color_pick_;
  std::array<char, 256> name_ = {};  // of the group that is being named
};

}  // namespace weft::app
