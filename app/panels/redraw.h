// When something that is shown changes by itself and has to be drawn again: of several wishes, the
// soonest counts.
#pragma once

namespace weft::app {

class Redraw {
 public:
  // `seconds` from now; 0: no wish.
  void after(double seconds) {
    if (seconds > 0 && (seconds_ == 0 || seconds < seconds_)) seconds_ = seconds;
  }
  double seconds() const { return seconds_; }  // 0: never

 private:
  double seconds_ = 0;
};

}  // namespace weft::app
