// The dialog in which a time, or the exact begin of the window and its end or length, is typed in
// any unit. (FS-21)
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
  Result<Time> end_after(Time from, const OpenTrace& trace) const;

  std::array<char, 64> time_ = {}, from_ = {}, to_ = {}, length_ = {};
  std::string error_;
  bool was_shown_ = false;
};

}  // namespace weft::app
