// Counts the frames still to be drawn after an event, before the window sleeps.
//
// A click that begins and ends between two polls takes ImGui two frames to see; the menu that it
// opens appears in the next, and has its size in the one after that.
#pragma once

namespace weft::app {

class FramesDue {
 public:
  // Frames after the one that sees the event, which is drawn in any case.
  static constexpr int kAfterEvent = 3;

  // Call when an event has come, possibly while frames are due for the previous one.
  void renew() { left_ = kAfterEvent; }
  void end() { left_ = 0; }
  // Whether to draw a frame now; counts it as drawn.
  bool take() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }

 private:
  int left_ = kAfterEvent;
};

}  // namespace weft::app
