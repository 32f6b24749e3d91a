// Queues events of mouse buttons with their places, and passes each frame a portion from which
// ImGui loses nothing.
//
// ImGui 1.86 reads the pointer and the buttons once a frame: if a button is pressed and the pointer
// moves on within one frame, it sees the press at the later place. With slow frames, a tab would be
// missed. So a frame gets one change of a button, at its own place; before a release elsewhere, the
// pointer is moved there in the previous frame.
#pragma once

#include <array>
#include <deque>

namespace weft::app {

struct ButtonEvent {
  static constexpr int kButtons = 5;  // the buttons that ImGui knows; others are ignored
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
  // The state for the next frame; (x, y) is the pointer's present place.
  State next_frame(float x, float y);

 private:
  std::deque<ButtonEvent> waiting_;
  State state_;
};

}  // namespace weft::app
