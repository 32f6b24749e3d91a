// Three-way merge of JSON, for files that several running programs keep.
#pragma once

#include "app/base/json.h"

namespace weft::app {

// What `ours` and `theirs` did to `base`: member by member where all three are objects; else the
// one that changed it, and ours where both did. A member that one of them removed stays away,
// unless the other changed it.
Json merged(const Json& base, const Json& ours, const Json& theirs);

}  // namespace weft::app
