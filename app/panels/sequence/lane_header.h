// The names of lanes that stand side by side, above their columns: in a line or two if there is
// room, otherwise slanted, so that each name stands at its lane and can be read however many there
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
  // The height for these lanes at this distance, of a panel that is so high; call it before draw().
  float height(const PanelInput& input, std::span<const LaneId> order, double pitch_px,
               float panel_px);
  // `area`: above the diagram; slanted names extend to `right`. Names of lanes that do not take
  // part in what is shown (by place) are dimmed. The names of marked lanes are drawn in full in
  // front of the others, unless they already are.
  void draw(const PanelInput& input, const layout::SequenceLanes& lanes, const Area& area,
            float right, const std::vector<bool>& taking_part, std::span<const LaneId> marked);
  // The x at which the column of the lane with the name at `at` meets the foot of the header.
  float column_x(ImVec2 at, const Area& area) const;

  // Opens the menu of a lane at the next draw_menu().
  void open_menu(LaneId lane) {
    menu_lane_ = lane;
    opens_menu_ = true;
  }
  // Call within the panel's ImGui window.
  void draw_menu(const PanelInput& input, PanelOutput& output);

 private:
  struct Name {
    LaneId lane;
    std::string whole, text;  // and the text that is shown
    float width = 0;          // of the text
    ImU32 color = 0;
  };
  void measure(const PanelInput& input, std::span<const LaneId> order);
  void shorten(const PanelInput& input, double pitch_px, float most_px);
  float room_px(const PanelInput& input) const;  // room for a name
  void draw_level(const PanelInput& input, size_t place, float x, const Area& area) const;
  void draw_marked(const PanelInput& input, size_t place, float x, const Area& area, float right,
                   size_t line) const;

  std::vector<Name> names_;  // from left to right, for model_
  std::shared_ptr<const TraceModel> model_;
  float font_px_ = 0, longest_px_ = 0;
  size_t letters_ = 0;  // letters that the fonts had
  double pitch_px_ = 0;
  float most_px_ = 0;  // that a slanted name may take
  int lines_ = 1;      // 0: slanted
  LaneId menu_lane_ = LaneId::none();
  bool opens_menu_ = false;
  ColorPick color_pick_;
};

// Shows the full name of the lane in whose column the pointer is.
void show_lane_tooltip(const PanelInput& input, LaneId lane);

}  // namespace weft::app
