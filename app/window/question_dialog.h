// Shows a question of a connection: whether to trust a host, a password, a passphrase. (B-24)
//
// Modal: nothing else can be done until it is answered. Enter and Escape do what is safe: the host
// is not trusted. Typed letters go one by one into a capture::Secret, not into an ImGui field,
// which would keep copies of them.
#pragma once

#include <cstdint>

#include "app/window/chrome.h"
#include "app/window/input.h"

namespace weft::app {

class QuestionDialog {
 public:
  // Takes every key while a question is shown.
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
