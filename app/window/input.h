// What the keyboard says, the same for a window and for a test. The mouse comes through ImGui.
#pragma once

#include <string>
#include <vector>

namespace weft::app {

struct Input {
  // Since the last frame; 0 makes every movement arrive at once.
  double seconds = 0;
  // Pressed since the last frame, as commands name them: "Ctrl+O", "F", "Home", "Alt+Left". Letters
  // as the layout writes them.
  std::vector<std::string> chords;

  // Held now, by their place on the keyboard: W, S, A, D of a US layout, whatever they write.
  bool zoom_in = false, zoom_out = false, left = false, right = false;
  // The arrows. Left and right move, too, where no element is selected to step from.
  bool up = false, down = false, arrow_left = false, arrow_right = false;
};

}  // namespace weft::app
