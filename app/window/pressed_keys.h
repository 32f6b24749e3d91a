// Distributes keys: to the open menu, to the field being typed into, to the focused panel, or to
// the command table; in this order, and to one of them only.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/commands.h"
#include "app/session/session.h"
#include "app/window/input.h"
#include "app/window/keyboard.h"
#include "app/window/type_ahead.h"

namespace weft::app {

class PressedKeys {
 public:
  // Call after ImGui::NewFrame(). Removes from `input` what runs no commands, and returns the
  // commands for the rest. `wanted`: the keys that the focused panel takes; `has_dialog`: a dialog
  // is open that takes all keys.
  std::vector<Command> begin_frame(Input& input, Session& session,
                                   std::span<const std::string_view> wanted, bool has_dialog);
  // The keys of this frame that go to the panel.
  std::span<const std::string> of_panel() const { return of_panel_; }
  // Call when everything is drawn.
  void end_frame();
  // Runs all commands by run(Command), which returns whether a field that is there gets the keys.
  // The first ones came from begin_frame() and run in the order of their keys; keys after one that
  // opens a field become text for it.
  void run(const std::vector<Command>& commands, const Input& input, const Session& session,
           const std::function<bool(const Command&)>& run);
  // Call when a command that ran leads to a panel: its keys are no longer typed into a field.
  void leave_field();
  // Whether held keys are moving the view.
  bool is_moving() const { return keyboard_.is_moving(); }

 private:
  Input without_menu_keys(const Input& input);
  void take_panel_keys(Input& input, std::span<const std::string_view> wanted);
  std::vector<Command> commands_of(const Input& input, Session& session);

  Keyboard keyboard_;
  TypeAhead type_ahead_;
  std::vector<std::string> of_panel_;
  size_t from_keys_ = 0;   // number of commands from keys in this frame
  bool had_menu_ = false;  // at the end of the last frame
};

}  // namespace weft::app
