// The dialog in which a time, or the exact begin and end of the window, is typed in any unit.
// (FS-21)
#pragma once

#include <array>
#include <string>

#include "app/window/chrome.h"

namespace weft::app {

class GoToDialog {
 public:
  void draw(const ChromeInput& input);

 private:
  void reset(const OpenTrace& trace);
  void go(const ChromeInput& input, const OpenTrace& trace);

  std::array<char, 64> time_ = {}, from_ = {}, to_ = {};
  std::string error_;
  bool was_shown_ = false;
};

}  // namespace weft::app
