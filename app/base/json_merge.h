// Three-way merge of JSON, for files that several running instances of the program write.
#pragma once

#include "app/base/json.h"

namespace weft::app {

// Returns `base` with the changes that `ours` and `theirs` made to it. Objects are merged member by
// member. Any other value is taken from the side that changed it, and from `ours` if both did. A
// member that one side removed is left out, unless the other side changed it.
Json merged(const Json& base, const Json& ours, const Json& theirs);

}  // namespace weft::app
