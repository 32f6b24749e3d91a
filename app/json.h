// The JSON of commands, journals, layouts and settings.
#pragma once

#include <nlohmann/json.hpp>

namespace weft::app {

using Json = nlohmann::json;

}  // namespace weft::app
