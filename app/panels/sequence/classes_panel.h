// The classes of messages in use, in the order in which they are asked: their rules and how they
// are drawn, to be made, edited, moved and removed. (TM-45)
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
  void paint() override {}
  void present(int) const override {}

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

// A new one, that is like none of those there are, and the panel to change it in.
std::vector<Command> make_class(const MessageClasses& classes, std::string name, std::string where);

}  // namespace weft::app
