// The dialog in which a time, or the exact begin and end of the window, is typed in any unit.
// (FS-21)
#pragma once

#include <array>
#include <string>

#include "app/chrome.h"

namespace weft::app {

class GoToDialog {
 public:
  void draw(const ChromeInput& input);
  // Shown, and its field has not had the keyboard yet, which takes ImGui some frames.
  bool awaits_keyboard() const { return awaits_keyboard_; }

 private:
  void reset(const OpenTrace& trace);
  void go(const ChromeInput& input, const OpenTrace& trace);

  std::array<char, 64> time_ = {}, from_ = {}, to_ = {};
  std::string error_;
  bool was_shown_ = false;
  bool awaits_keyboard_ = false;
};

}  // namespace weft::app
