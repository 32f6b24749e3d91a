// From C declarations to Symbols: names looked up, expressions evaluated, every member put where
// the System V ABIs put it (natural alignment, `packed`, `aligned`, `#pragma pack`; bit fields that
// do not cross a unit of their type). What is not known in full is left out and counted.
#pragma once

#include "core/symbols/c_tree.h"

namespace weft::symbols {

Symbols lay_out(CTree& tree);

}  // namespace weft::symbols
