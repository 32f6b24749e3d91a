// Joins the parameters of a state's begin and end into one JSON object.
#pragma once

#include <string>
#include <string_view>

namespace weft::formats::stacks {

// Both are JSON objects or empty. A member of the end to which the begin gives another value
// becomes "end.name".
std::string joined_params(std::string_view begin, std::string_view end);

}  // namespace weft::formats::stacks
