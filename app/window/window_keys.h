// Converts GLFW's key events to app/window/input.h.
#pragma once

#include <string>

#include "app/window/input.h"

namespace weft::app {

// The name of a GLFW key in a chord; `written` is what the layout writes for it (null: nothing). It
// is the written character or, if that is not ASCII, or if it is a steering letter (W, A, S, D) on
// another key, the letter of a US layout. Empty: the key has no name.
std::string name_of_key(int key, const char* written, int mods);

class WindowKeys {
 public:
  // Takes the arguments of GLFW's key callback.
  void on_key(int key, int scancode, int action, int mods);
  // Takes the argument of GLFW's character callback: for characters that every layout writes in its
  // own way.
  void on_char(unsigned int letter);
  // Call when the window loses the focus: later releases are not reported.
  void release_all();
  bool is_any_held() const;
  // Returns what happened since the last call.
  Input take();

 private:
  struct Held {
    bool is_down = false;
    bool was_pressed = false;  // since the last take(): a short press counts, too
  };
  Held* held_of(int key);

  Held w_, a_, s_, d_, left_, right_, up_, down_;
  std::vector<std::string> chords_;
};

}  // namespace weft::app
