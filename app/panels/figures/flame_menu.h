// The menu of a box in a flame graph: for its stack, and for all states with the name of its
// innermost one.
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
    std::vector<std::string> path;  // names from the outermost inwards, told apart; any text
    std::string name;               // of the innermost, as its type has it
    bool is_zoomed = false;         // the graph is zoomed, so that there is a way back
    bool has_path = true;           // can be zoomed to, unlike halves of a sandwich
    bool is_of_trace = true;        // belongs to the panel's trace, not to a difference
  };
  // The menu opens at the next draw().
  void open(Box box) {
    box_ = std::move(box);
    opens_ = true;
  }
  // Call within the panel's ImGui window.
  void draw(const PanelInput& input, PanelOutput& output);

 private:
  void offer_type(const PanelInput& input, const std::string& name, PanelOutput& output) const;

  std::optional<Box> box_;
  bool opens_ = false;
};

}  // namespace weft::app
