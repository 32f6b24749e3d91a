// What is typed between the command that opens a field to type into (the search, a dialog) and the
// moment at which ImGui gives it the keyboard, some frames later: it is kept, is no shortcut
// meanwhile, and is then typed into the field. Keys such as Enter wait with it.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"

namespace weft::app {

class TypeAhead {
 public:
  // After ImGui::NewFrame. True: what is typed is text.
  bool begin_frame(std::vector<std::string>& chords);
  // Commands of this frame have opened a field; `chord`: by that key of `chords`, or empty. What
  // was typed after it in the same frame is for the field.
  void open(std::string_view chord, const std::vector<std::string>& chords);

 private:
  std::vector<ImWchar> typed_;  // in this frame
  std::vector<ImWchar> held_;
  std::vector<std::string> held_chords_;
  int frames_left_ = 0;        // for which a field is waited for
  bool leaves_field_ = false;  // another one still has the keyboard, that of the palette, say
};

// Whether something that has a field is open, one bit each.
unsigned open_fields(const Session& session);

}  // namespace weft::app
