// Frames that are still to be drawn after something has happened, before the window sleeps.
//
// A click that comes and goes between two polls takes ImGui two frames to see; the menu that it
// opens is there in the next, and has its size in the one after that.
#pragma once

namespace weft::app {

class FramesDue {
 public:
  // The frame that sees an event is drawn in any case.
  static constexpr int kAfterEvent = 3;

  // An event has come, maybe while frames are due for the one before.
  void renew() { left_ = kAfterEvent; }
  void end() { left_ = 0; }
  // Whether there is one to be drawn now; it is none of those that are left.
  bool take() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }

 private:
  int left_ = kAfterEvent;
};

}  // namespace weft::app
