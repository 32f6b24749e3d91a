// The names of lanes that stand side by side, above their columns: in a line or two where there is
// room for them, else slanted, so that each stands at its lane and can be read however many there
// are. (TM-02)
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/panels/color_pick.h"
#include "app/panels/panels.h"
#include "core/layout/sequence.h"

namespace weft::app {

class LaneHeader {
 public:
  // How high it is for these lanes, so far apart; to be asked before it is drawn.
  float height(const PanelInput& input, std::span<const LaneId> order, double pitch_px);
  // `area`: above the diagram; slanted names reach on to `right`. Those of lanes that take no part
  // in what is shown, by place, are dim. The marked lanes' names stand whole before the others,
  // where they are not so already.
  void draw(const PanelInput& input, const layout::SequenceLanes& lanes, const Area& area,
            float right, const std::vector<bool>& taking_part, std::span<const LaneId> marked);
  // Where the column of the lane whose name is there meets the header's foot.
  float column_x(ImVec2 at, const Area& area) const;

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
    std::string whole, text;  // and as it is shown
    float width = 0;          // of the text
    ImU32 color = 0;
  };
  void measure(const PanelInput& input, std::span<const LaneId> order);
  void shorten(const PanelInput& input, double pitch_px);
  float room_px(const PanelInput& input) const;  // that a name has
  void draw_level(const PanelInput& input, size_t place, float x, const Area& area) const;
  void draw_marked(const PanelInput& input, size_t place, float x, const Area& area, float right,
                   size_t line) const;

  std::vector<Name> names_;  // from left to right, of …
  std::shared_ptr<const TraceModel> model_;
  float font_px_ = 0, longest_px_ = 0;
  size_t letters_ = 0;  // that fonts had
  double pitch_px_ = 0;
  int lines_ = 1;  // 0: slanted
  LaneId menu_lane_ = LaneId::none();
  bool opens_menu_ = false;
  ColorPick color_pick_;
};

// The full name of the lane in whose column the pointer is.
void show_lane_tooltip(const PanelInput& input, LaneId lane);

}  // namespace weft::app
