// What the begin and the end of a state say of it, as one JSON object.
#pragma once

#include <string>
#include <string_view>

namespace weft::formats::stacks {

// Each is an object with members, or empty. A member of the end that the begin has with another
// value is called "end.name".
std::string joined_params(std::string_view begin, std::string_view end);

}  // namespace weft::formats::stacks
