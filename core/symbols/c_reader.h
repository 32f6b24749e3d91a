// Reads declarations out of C sources: macros that are numbers, enums, structs, unions, typedefs.
//
// It is not a compiler: nothing is included, no macro is expanded inside a declaration, functions
// are skipped, and a declaration that it does not understand (a macro that stands for one, C++) is
// skipped and counted. Debug information knows what only a compiler can (dwarf_reader.h). A struct
// that contains something unknown is left out, never guessed.
#pragma once

#include <deque>
#include <string>

#include "core/symbols/c_tree.h"

namespace weft::symbols {

class CReader {
 public:
  explicit CReader(const Target& target) { tree_.target = target; }

  // Adds a file. Files may come in any order; if two define a name, the first wins.
  void add(std::string text);
  Symbols finish() &&;

 private:
  std::deque<std::string> texts_;  // backing of the tokens' views
  CTree tree_;
};

}  // namespace weft::symbols
