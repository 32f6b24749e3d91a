// Reads declarations out of C sources: macros that are numbers, enums, structs, unions, typedefs.
//
// It is no compiler: nothing is included, no macro is expanded inside a declaration, functions are
// passed over, and a declaration that it does not understand (a macro that stands for one, C++) is
// counted and costs itself. For what only a compiler knows there is its debug information
// (dwarf_reader.h). A struct that holds something unknown is left out, never guessed.
#pragma once

#include <deque>
#include <string>

#include "core/symbols/c_tree.h"

namespace weft::symbols {

class CReader {
 public:
  explicit CReader(const Target& target) { tree_.target = target; }

  // One file. Files may come in any order; where two define a name, the first wins.
  void add(std::string text);
  Symbols finish() &&;

 private:
  std::deque<std::string> texts_;  // what tokens are views of
  CTree tree_;
};

}  // namespace weft::symbols
