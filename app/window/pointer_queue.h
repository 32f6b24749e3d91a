// What the buttons of the mouse did, and where, in portions of which a frame loses nothing.
//
// ImGui 1.86 reads once a frame where the pointer is and which buttons are down: of a button that
// is pressed and drawn away within one frame it sees the press where the pointer is by then. Where
// frames are slow, a tab would be grabbed beside itself. So a frame gets one change of a button, at
// its own place; what is let go elsewhere has been moved there in the frame before.
#pragma once

#include <array>
#include <deque>

namespace weft::app {

struct ButtonEvent {
  static constexpr int kButtons = 5;  // that ImGui knows; others are nobody's business
  int button = 0;
  bool is_down = false;
  float x = 0, y = 0;
};

class PointerQueue {
 public:
  struct State {
    float x = 0, y = 0;
    std::array<bool, ButtonEvent::kButtons> is_down = {};
    bool operator==(const State&) const = default;
  };

  void add(const ButtonEvent& event) {
    if (event.button >= 0 && event.button < ButtonEvent::kButtons) waiting_.push_back(event);
  }
  bool is_empty() const { return waiting_.empty(); }
  // For the next frame; the pointer is at (x, y) now.
  State next_frame(float x, float y);

 private:
  std::deque<ButtonEvent> waiting_;
  State state_;
};

}  // namespace weft::app
