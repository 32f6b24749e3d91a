// The command palette: type a few letters, choose a command, give it its arguments.
//
// Its keys (Up, Down, Enter, Escape) arrive as the program's chords, so that it is driven the same
// way in a window and in a test.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/session/palette_entries.h"
#include "app/window/chrome.h"
#include "app/window/input.h"

namespace weft::app {

class CommandPalette {
 public:
  // Draws it while the session shows it.
  void draw(const ChromeInput& input, const Input& keys);

 private:
  void reset();
  void list_matches(const ChromeInput& input);
  void draw_query();
  void draw_list(const ChromeInput& input);
  void draw_question(const ChromeInput& input);
  void choose(const ChromeInput& input, const PaletteEntry& entry);
  void ask_for(const Command& command);  // for its arguments, from those that it has on
  void run_asked(const ChromeInput& input);

  std::array<char, 256> query_{};
  std::array<char, 1024> answer_{};
  std::vector<PaletteEntry> entries_;
  std::string listed_for_;
  size_t selected_ = 0;
  bool scrolls_ = false;               // scrolls to the selected one
  const CommandRow* asked_ = nullptr;  // the command whose arguments are typed; null: none
  std::string complaint_;
  bool was_shown_ = false;
  bool takes_focus_ = false;
};

}  // namespace weft::app
