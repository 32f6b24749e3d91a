// Turns C declarations into Symbols: resolves names, evaluates expressions, and lays members out as
// the System V ABIs do (natural alignment, `packed`, `aligned`, `#pragma pack`; bit fields do not
// cross a unit of their type). Declarations that cannot be resolved completely are left out and
// counted.
#pragma once

#include "core/symbols/c_tree.h"

namespace weft::symbols {

Symbols lay_out(CTree& tree);

}  // namespace weft::symbols
