// The JSON of commands, journals, layouts and settings.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft::app {

using Json = nlohmann::json;

// A member that is an object; null where there is none.
inline const Json* find_object(const Json& options, const std::string& key) {
  const auto it = options.find(key);
  return it != options.end() && it->is_object() ? &*it : nullptr;
}

}  // namespace weft::app
