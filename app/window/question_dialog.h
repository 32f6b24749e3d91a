// What a connection asks: whether a host is to be trusted, a password, a passphrase. (B-24)
//
// Modal: until it is answered nothing else is. What is safe is what Enter and Escape do without
// thinking: a host is not trusted. What is typed goes letter by letter into a capture::Secret, not
// into a field of ImGui, which would keep copies of it.
#pragma once

#include <cstdint>

#include "app/window/chrome.h"
#include "app/window/input.h"

namespace weft::app {

class QuestionDialog {
 public:
  // Takes every key while something is asked.
  void take_keys(const Session& session, Input& input);
  void draw(const ChromeInput& input);

 private:
  enum class Reply { kNone, kNo, kYes };
  Reply draw_host(const ChromeInput& input, const capture::DoubtfulHost& host);
  Reply draw_text_question(const ChromeInput& input, const capture::Question& question);
  void take_typed();
  void draw_typed(const ChromeInput& input, bool is_echoed) const;
  void close();

  uint64_t shown_ = 0;  // id of the question; 0: none
  bool is_entered_ = false, is_escaped_ = false;
  capture::Secret typed_;
};

}  // namespace weft::app
