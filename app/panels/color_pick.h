// The dialog in which a colour is chosen for a type or a lane: it is seen everywhere meanwhile, and
// kept when the dialog is left.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/panels/panels.h"

namespace weft::app {

class ColorPick {
 public:
  // From where a popup can be opened: outside of the menu that asks for it.
  void open_type(const PanelInput& input, const std::string& name, layout::Rgb now);
  void open_lane(const PanelInput& input, LaneId lane);
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  struct Picked {
    std::string name;
    Command command;                    // without a colour it gives back the own one
    std::optional<layout::Rgb> before;  // what the user had chosen
    std::array<float, 3> color{};
  };
  void open(Picked picked, const NamedColors& users, layout::Rgb now);

  std::optional<Picked> picked_;
  bool opens_ = false;
};

}  // namespace weft::app
