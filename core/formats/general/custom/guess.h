// Guesses a definition from a sample: common shapes of logs, the header of a table, the elements of
// a document, the objects of JSON on lines. Takes some milliseconds for the first lines.
#pragma once

#include <string_view>

#include "core/formats/general/custom/definition.h"

namespace weft::formats::custom {

// Returns a definition that compiles; if nothing is recognised, one for lines of text.
Definition guess(std::string_view sample);

// Returns the lines of a sample that a guess examines.
std::string_view first_of(std::string_view sample);
// Returns the number of events that the definition makes of the sample.
uint64_t events_of(const Definition& definition, std::string_view sample);
// Returns the definition with the time form that makes events of most records: a name may give the
// unit, but dates are recognised by their look.
Definition with_likely_time(Definition definition, std::string_view sample);

}  // namespace weft::formats::custom
