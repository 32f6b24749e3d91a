// The dialog for a trace from a pipe: how much of it is kept, and which event ends the reading.
// (B-23)
#pragma once

#include <array>
#include <string>

#include "app/window/chrome.h"

namespace weft::app {

class RecorderDialog {
 public:
  void draw(const ChromeInput& input);

 private:
  void reset(const Recording& recording);
  void set(const ChromeInput& input);

  std::array<char, 64> last_ = {}, size_ = {}, after_ = {};
  std::array<char, 1024> trigger_ = {};
  std::string error_;
  bool was_shown_ = false;
};

}  // namespace weft::app
