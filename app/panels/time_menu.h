// The menu of an instant, where nothing is drawn: of a ruler, and of the ground of each panel that
// time runs along. What can be set there, and what can be done with the range that is selected.
#pragma once

#include <optional>

#include "app/panels/panels.h"

namespace weft::app {

class TimeMenu {
 public:
  // Opens with the next draw().
  void open(Time at) {
    at_ = at;
    opens_ = true;
  }
  // Within the panel's ImGui window.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  std::optional<Time> at_;
  bool opens_ = false;
};

}  // namespace weft::app
