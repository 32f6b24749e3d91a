// Where what is pressed goes: to the open menu, to a field that is being typed into, to the panel
// that has the focus, or to the table of commands; in that order, and to one of them only.
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
  // After ImGui::NewFrame: takes off `input` what runs no commands, and says which ones the rest
  // runs. `wanted`: the keys of the panel that has the focus; `has_dialog`: one is open that takes
  // all keys.
  std::vector<Command> begin_frame(Input& input, Session& session,
                                   std::span<const std::string_view> wanted, bool has_dialog);
  // Those of this frame that are the panel's own.
  std::span<const std::string> of_panel() const { return of_panel_; }
  // When all is drawn.
  void end_frame();
  // Runs all by run(Command), of which the first ones came from begin_frame, in the order in which
  // their keys were pressed: those behind one that opens a field are text for it.
  void run(const std::vector<Command>& commands, const Input& input, const Session& session,
           const std::function<void(const Command&)>& run);
  // Held keys are moving the view.
  bool is_moving() const { return keyboard_.is_moving(); }

 private:
  Input without_menu_keys(const Input& input);
  void take_panel_keys(Input& input, std::span<const std::string_view> wanted);
  std::vector<Command> commands_of(const Input& input, Session& session);

  Keyboard keyboard_;
  TypeAhead type_ahead_;
  std::vector<std::string> of_panel_;
  size_t from_keys_ = 0;   // commands of this frame
  bool had_menu_ = false;  // at the end of the last frame
};

}  // namespace weft::app
