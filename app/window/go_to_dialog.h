// The dialog for typing a time, or the exact begin of the window and its end or length, in any
// unit; it shows how the input is understood. (FS-21)
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
  Status go(const ChromeInput& input, const OpenTrace& trace) const;
  Result<TimeRange> typed_window(const OpenTrace& trace) const;
  std::string reading(const OpenTrace& trace) const;

  std::array<char, 64> time_ = {}, from_ = {}, to_ = {}, length_ = {};
  std::string error_;
  const char* corrected_ = nullptr;  // the field that takes the focus back, since it has an error
  bool was_shown_ = false;
};

}  // namespace weft::app
