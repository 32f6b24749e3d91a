// Keeps what is typed between the command that opens a text field (the find bar, a dialog) and the
// moment when ImGui gives the field the keyboard focus, some frames later: it runs no shortcuts
// meanwhile, and is then typed into the field. Keys such as Enter wait with it. The same after
// Enter, by which ImGui leaves a field, if the field takes the focus back. It also knows when a
// field has just been left, which ImGui says a frame late: a key pressed meanwhile is not text.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"

namespace weft::app {

class TypeAhead {
 public:
  // Call after ImGui::NewFrame(). Returns true if what is typed is text.
  bool begin_frame(std::vector<std::string>& chords);
  // Call when commands of this frame have opened a field. `chord`: the one of `chords` that did so,
  // or empty. What was typed after it in the same frame is for the field.
  void open(std::string_view chord, const std::vector<std::string>& chords);
  // Call when everything is drawn, before the commands of the frame run.
  void end_frame();
  // Call when commands of this frame have closed a field.
  void close();

 private:
  void wait();
  bool hold_or_release(std::vector<std::string>& chords);

  std::vector<ImWchar> typed_;  // in this frame
  std::vector<ImWchar> held_;
  std::vector<std::string> held_chords_;
  int frames_left_ = 0;        // frames left to wait for a field
  bool leaves_field_ = false;  // another field, such as the palette's, still has the focus
  bool escapes_ = false;       // Escape was pressed in a field in this frame
  bool enters_ = false;        // likewise Enter
  bool has_entered_ = false;   // Enter has left a field: it may take the focus back
  bool has_left_ = false;      // the field of the last frame is no longer typed into
};

// Which things with a text field are open, one bit each.
unsigned open_fields(const Session& session);

}  // namespace weft::app
