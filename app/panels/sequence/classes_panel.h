// The classes of messages in use, in the order in which they are tried: their rules and appearance,
// which can be added, edited, moved and removed. (TM-45)
//
//   [New class]
//   ■────  timers      type =~ /TICK/         a click opens what can be changed of it
//   ▲ ─ ─  faults      params.error > 0
#pragma once

#include <array>
#include <string>

#include "app/panels/panels.h"
#include "app/session/message_classes.h"

namespace weft::app {

class ClassesPanel final : public Panel {
 public:
  explicit ClassesPanel(const PanelServices&) {}
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  using Text = std::array<char, 4096>;

  void draw_class(const PanelInput& input, const MessageClasses& classes, size_t place,
                  PanelOutput& output);
  void draw_editor(const PanelInput& input, const MessageClasses& classes, size_t place,
                   PanelOutput& output);
  void draw_looks(const PanelInput& input, const MessageClass& of, PanelOutput& output);
  void draw_buttons(const MessageClasses& classes, size_t place, PanelOutput& output);
  void edit(const MessageClass& of);

  std::string edited_;  // the class whose editor is open; empty: none
  Text name_ = {}, where_ = {};
};

// The commands that add a class with a unique name, and open the panel to edit it.
std::vector<Command> make_class(const MessageClasses& classes, std::string name, std::string where);

}  // namespace weft::app
