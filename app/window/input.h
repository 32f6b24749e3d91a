// Keyboard input, the same for a window and for a test. The mouse comes through ImGui.
#pragma once

#include <string>
#include <vector>

namespace weft::app {

struct Input {
  // Time since the last frame; 0 completes every movement immediately.
  double seconds = 0;
  // Chords pressed since the last frame, as commands name them: "Ctrl+O", "F", "Home", "Alt+Left".
  // Letters are those of the keyboard layout.
  std::vector<std::string> chords;

  // Held now: the keys at the places of W, S, A, D on a US keyboard, whatever their letters.
  bool zoom_in = false, zoom_out = false, left = false, right = false;
  // The arrow keys. Left and right also move the view if no element is selected to step from.
  bool up = false, down = false, arrow_left = false, arrow_right = false;
};

}  // namespace weft::app
