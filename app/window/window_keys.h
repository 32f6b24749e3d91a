// From GLFW's key events to app/window/input.h.
#pragma once

#include <string>

#include "app/window/input.h"

namespace weft::app {

// What a chord calls a key of GLFW's, of which the layout writes `written` (null: nothing to be
// written). As it is written; where that is no ASCII letter, or a letter whose place steers, as a
// US layout would. Empty: it has no name.
std::string name_of_key(int key, const char* written, int mods);

class WindowKeys {
 public:
  // As GLFW's key callback.
  void on_key(int key, int scancode, int action, int mods);
  // As GLFW's character callback: for what every layout writes in its own way.
  void on_char(unsigned int letter);
  // When the window loses the focus: releases will not be told.
  void release_all();
  bool is_any_held() const;
  // What happened since the last call.
  Input take();

 private:
  struct Held {
    bool is_down = false;
    bool was_pressed = false;  // since the last take: a short press counts, too
  };
  Held* held_of(int key);

  Held w_, a_, s_, d_, left_, right_, up_, down_;
  std::vector<std::string> chords_;
};

}  // namespace weft::app
