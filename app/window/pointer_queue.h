// Queues events of mouse buttons with their places, and passes each frame a portion from which
// ImGui loses nothing.
//
// ImGui 1.86 reads the pointer and the buttons once a frame: if a button is pressed and the pointer
// moves on within one frame, it sees the press at the later place. With slow frames, a tab would be
// missed. So a frame gets one change of a button, at its own place; before a release elsewhere, the
// pointer is moved there in the previous frame.
//
// ImGui also measures a double click by the times of frames. Here it is measured by the events: two
// presses that came in time are one, however long the frames between them took.
#pragma once

#include <array>
#include <deque>
#include <limits>
#include <optional>

namespace weft::app {

struct ButtonEvent {
  static constexpr int kButtons = 5;  // the buttons that ImGui knows; others are ignored
  int button = 0;
  bool is_down = false;
  float x = 0, y = 0;
  // When it came, in seconds of any clock: not before, and not after. What waits while a frame is
  // drawn is only known to have come meanwhile.
  double from_s = 0, to_s = 0;
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
  // What ImGui has to take for the longest time of a double click in that frame, so that it finds
  // one if, by its events, there is one of at most `most_s` seconds.
  float double_click_s(float most_s) const;

 private:
  std::deque<ButtonEvent> waiting_;
  State state_;
  static constexpr double kNever = -std::numeric_limits<double>::infinity();
  std::array<double, ButtonEvent::kButtons> pressed_s_ = {kNever, kNever, kNever, kNever, kNever};
  std::optional<double> apart_s_;  // of the press in the last frame: since the one before, at least
};

}  // namespace weft::app
