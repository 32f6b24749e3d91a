// Arguments of an event that are messages of single programs (Chrome's, say), whose meaning only
// these know: shown by the numbers of their fields, as far as the bytes say what they are.
#pragma once

#include <span>

#include "core/formats/perfetto/args_text.h"
#include "core/formats/perfetto/fields.h"

namespace weft::formats::perfetto {

// Adds fields of a TrackEvent with their names, or "field 1079"; puts them in order of numbers.
void add_typed_arguments(std::span<Field> fields, ArgsText& args);

}  // namespace weft::formats::perfetto
