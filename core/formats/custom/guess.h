// A definition to begin with, found by looking at a sample: common shapes of logs, the header of a
// table, the elements of a document that have a time. Costs some milliseconds for the first lines.
#pragma once

#include <string_view>

#include "core/formats/custom/definition.h"

namespace weft::formats::custom {

// Always one that compiles; where nothing is recognised, one for lines of text.
Definition guess(std::string_view sample);

}  // namespace weft::formats::custom
