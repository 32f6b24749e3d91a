// Maps keys to commands: the defaults of the command table, changed by the user's bindings.
//
// A chord is written "Ctrl+Alt+Shift+Key", with modifiers in this order and letters in capitals.
// keys.json holds the user's bindings, from the name of a command to its chords: {"view.fit": ["F",
// "Home"], "theme": []}. Binding a chord takes it away from the command that had it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/json.h"

namespace weft::app {

struct CommandRow;

class KeyMap {
 public:
  KeyMap();  // with the defaults of the command table

  // The command that the chord runs; null: none.
  const CommandRow* find(std::string_view chord) const;
  std::vector<std::string> chords_of(std::string_view command) const;
  // The same as they stand on the keys, "Ctrl+↑" for "Ctrl+Up"; menus show the first one.
  std::vector<std::string> labels_of(std::string_view command) const;

  // Makes exactly these chords run the command. Returns a complaint if one of them is not a chord
  // or the command is unknown; otherwise an empty text.
  std::string bind(std::string_view command, const std::vector<std::string>& chords);

  // The differences from the command table.
  Json to_json() const;
  // Applies the bindings in `json`. Returns complaints about entries that are wrong, and about
  // chords given to two commands (the first keeps it).
  std::vector<std::string> apply(const Json& json);

 private:
  std::map<std::string, const CommandRow*, std::less<>> rows_;          // by chord
  std::map<std::string, std::vector<std::string>, std::less<>> bound_;  // by the user
};

// The form that find() takes: "shift+ctrl+a" becomes "Ctrl+Shift+A"; empty if `text` is not a
// chord.
std::string normal_chord(std::string_view text);

}  // namespace weft::app
