// A definition to begin with, found by looking at a sample: common shapes of logs, the header of a
// table, the elements of a document that have a time. Costs some milliseconds for the first lines.
#pragma once

#include <string_view>

#include "core/formats/general/custom/definition.h"

namespace weft::formats::custom {

// Always one that compiles; where nothing is recognised, one for lines of text.
Definition guess(std::string_view sample);

// Those lines of a sample that a guess looks at.
std::string_view first_of(std::string_view sample);
// How many events come of it.
uint64_t events_of(const Definition& definition, std::string_view sample);
// The same with the form of times by which most records become events: a name says a unit, but
// dates are told by what they look like.
Definition with_likely_time(Definition definition, std::string_view sample);

}  // namespace weft::formats::custom
