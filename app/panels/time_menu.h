// The menu of an instant where nothing is drawn, on a ruler or on the background of a panel along
// which time runs: what can be set there, and what can be done with the selected range.
#pragma once

#include <optional>

#include "app/panels/panels.h"

namespace weft::app {

class TimeMenu {
 public:
  // The menu opens at the next draw().
  void open(Time at) {
    at_ = at;
    opens_ = true;
  }
  // Call within the panel's ImGui window.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  std::optional<Time> at_;
  bool opens_ = false;
};

}  // namespace weft::app
