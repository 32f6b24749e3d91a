// The menu of a box of a flame graph: a stack, and all states that are called as its innermost one.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panels.h"

namespace weft::app {

class FlameMenu {
 public:
  struct Box {
    std::vector<std::string> path;  // names from the outermost one inwards; any text
    bool is_zoomed = false;         // something is, so that there is a way back
    bool has_path = true;  // what is shown has a path to zoom to, as halves of a sandwich have not
    bool is_of_trace = true;  // of the panel's trace alone, not of two
  };
  // Opens with the next draw().
  void open(Box box) {
    box_ = std::move(box);
    opens_ = true;
  }
  // Within the panel's ImGui window.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  void offer_type(const PanelInput& input, const std::string& name, PanelOutput& output) const;

  std::optional<Box> box_;
  bool opens_ = false;
};

}  // namespace weft::app
