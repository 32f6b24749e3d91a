// Short presses for ImGui, which asks at a frame's begin which keys are down: one that was pressed
// and let go since the frame before would never have been. It is down for one frame instead.
#pragma once

#include <map>
#include <vector>

struct ImGuiIO;

namespace weft::app {

class KeyTaps {
 public:
  // As GLFW's key callback.
  void on_key(int key, int action, int mods);
  // Around a frame of ImGui's, behind its backend's.
  void press(ImGuiIO& io);
  void let_go(ImGuiIO& io);

 private:
  std::map<int, int> pressed_;  // modifiers by key, since the last frame
  std::vector<int> held_;       // down for this frame
};

}  // namespace weft::app
