// Values by names, looked up by views of text: no string is made for a name that is known.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace weft::formats {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <class Value>
using ByName = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

// The name's value, which is `first` where it has none yet.
template <class Value>
Value& value_of(ByName<Value>& values, std::string_view name, Value first = {}) {
  const auto it = values.find(name);
  return it != values.end() ? it->second : values.emplace(name, std::move(first)).first->second;
}

}  // namespace weft::formats
