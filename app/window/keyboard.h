// Converts keys to commands: shortcuts from the command table, and steady movement while W, A, S, D
// or the arrows are held.
#pragma once

#include <vector>

#include "app/session/commands.h"
#include "app/session/session.h"
#include "app/window/input.h"

namespace weft::app {

// The input left for commands while a text is typed: Ctrl with a letter that does not edit text,
// and F1.
Input without_typing(const Input& input);

class Keyboard {
 public:
  // The commands for the keys of this frame.
  std::vector<Command> commands(const Input& input, const Session& session);
  bool is_moving() const { return gesture_ != 0; }

 private:
  uint32_t gesture_ = 0;  // while keys are held
};

}  // namespace weft::app
