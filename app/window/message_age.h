// How long the last message has been there, and when it goes: after a while, with whatever is done
// next; one that offers something, with Escape or after a minute. All messages stay in the list of
// messages.
#pragma once

#include <cstdint>

#include "app/session/messages.h"
#include "app/window/input.h"

namespace weft::app {

class MessageAge {
 public:
  // Call once a frame, with all that the user pressed.
  void step(Messages& messages, const Input& pressed);

 private:
  uint64_t serial_ = 0;  // of the message whose age it is
  double age_s_ = 0;
};

}  // namespace weft::app
