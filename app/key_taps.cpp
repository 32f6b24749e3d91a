#include "app/key_taps.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <cstddef>
#include <iterator>

namespace weft::app {

void KeyTaps::on_key(int key, int action, int mods) {
  if (action == GLFW_PRESS) pressed_[key] = mods;
}

void KeyTaps::press(ImGuiIO& io) {
  for (const auto& [key, mods] : pressed_) {
    const auto at = static_cast<size_t>(key);
    if (key < 0 || at >= std::size(io.KeysDown) || io.KeysDown[at]) continue;
    io.KeysDown[at] = true;
    io.KeyCtrl |= (mods & GLFW_MOD_CONTROL) != 0;
    io.KeyShift |= (mods & GLFW_MOD_SHIFT) != 0;
    io.KeyAlt |= (mods & GLFW_MOD_ALT) != 0;
    held_.push_back(key);
  }
  pressed_.clear();
}

void KeyTaps::let_go(ImGuiIO& io) {
  if (held_.empty()) return;
  for (const int key : held_) io.KeysDown[static_cast<size_t>(key)] = false;
  held_.clear();
  const auto is_down = [&](int left, int right) {
    return io.KeysDown[static_cast<size_t>(left)] || io.KeysDown[static_cast<size_t>(right)];
  };
  io.KeyCtrl = is_down(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
  io.KeyShift = is_down(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
  io.KeyAlt = is_down(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
}

}  // namespace weft::app
