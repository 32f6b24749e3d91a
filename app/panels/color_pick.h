// The dialog for choosing the colour of a type or a lane. The colour is shown everywhere while it
// is being chosen, and kept when the dialog is left.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/panels/panels.h"

namespace weft::app {

class ColorPick {
 public:
  // Call it where a popup can be opened: outside of the menu that offers it.
  void open_type(const PanelInput& input, const std::string& name, layout::Rgb now);
  void open_lane(const PanelInput& input, LaneId lane);
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  struct Picked {
    std::string name;
    Command command;                    // without a colour, it restores the original one
    std::optional<layout::Rgb> before;  // the user's previous choice; nullopt: none
    std::array<float, 3> color{};
  };
  void open(Picked picked, const NamedColors& users, layout::Rgb now);

  std::optional<Picked> picked_;
  bool opens_ = false;
};

}  // namespace weft::app
