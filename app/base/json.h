// The JSON type of commands, journals, layouts and settings.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace weft::app {

using Json = nlohmann::json;

// Discarded if the text is not JSON.
template <class AnyJson = Json>
AnyJson parse_json(std::string_view text) {
  return AnyJson::parse(text, nullptr, /*allow_exceptions=*/false);
}

// On one line. In this and the next two, bytes that are not UTF-8 become U+FFFD.
template <class AnyJson>
std::string json_line(const AnyJson& json) {
  return json.dump(-1, ' ', false, AnyJson::error_handler_t::replace);
}

// As a file that people may edit.
inline std::string json_file_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A string as it is, anything else on one line.
template <class AnyJson>
std::string plain_text(const AnyJson& value) {
  return value.is_string() ? value.template get<std::string>() : json_line(value);
}

// The member `key` if it is an object; otherwise null.
inline const Json* find_object(const Json& options, const std::string& key) {
  const auto it = options.find(key);
  return it != options.end() && it->is_object() ? &*it : nullptr;
}

// The member `key` if it is a string; otherwise empty.
inline std::string text_in(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// Whether the member `key` is true.
inline bool flag_in(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_boolean() && it->get<bool>();
}

// The member `key` if it is a finite number.
inline std::optional<double> number_in(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number()) return std::nullopt;
  const double value = it->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// The strings in the member `key` if it is an array; otherwise none.
inline std::set<std::string> texts_in(const Json& object, const std::string& key) {
  std::set<std::string> texts;
  const auto it = object.find(key);
  if (it == object.end() || !it->is_array()) return texts;
  for (const Json& text : *it) {
    if (text.is_string()) texts.insert(text.get<std::string>());
  }
  return texts;
}

}  // namespace weft::app
