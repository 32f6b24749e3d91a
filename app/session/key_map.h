// Which keys run which command: the table's own, changed by what the user binds.
//
// A chord is written "Ctrl+Alt+Shift+Key" in this order; letters are capitals. keys.json holds the
// user's bindings, name of a command → chords: {"view.fit": ["F", "Home"], "theme": []}. Binding a
// chord takes it from the command that had it.
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
  KeyMap();  // the table's own

  // Null where the chord runs nothing.
  const CommandRow* find(std::string_view chord) const;
  // Of a command, the first is what menus show.
  std::vector<std::string> chords_of(std::string_view command) const;

  // Exactly these chords run the command from now on. The complaint, where one of them is none or
  // the command is unknown; empty: done.
  std::string bind(std::string_view command, const std::vector<std::string>& chords);

  // What differs from the table.
  Json to_json() const;
  // Binds what the JSON says; complains about what it cannot, and about chords that it gives to
  // two commands (the first keeps it).
  std::vector<std::string> apply(const Json& json);

 private:
  std::map<std::string, const CommandRow*, std::less<>> rows_;          // by chord
  std::map<std::string, std::vector<std::string>, std::less<>> bound_;  // by the user
};

// As find() wants it: "shift+ctrl+a" is "Ctrl+Shift+A"; empty where it is no chord.
std::string normal_chord(std::string_view text);

}  // namespace weft::app
