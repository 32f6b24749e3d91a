// Parameters of events, put together as the text of a JSON object from texts: what reads as a
// number is one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/general/chrome_json/json_text.h"

namespace weft::formats {

// Appends `"name":value`, behind a comma where there are members before it; `members` has no
// braces. Any bytes.
inline void append_member(std::string& members, std::string_view name, std::string_view value) {
  if (!members.empty()) members += ',';
  chrome_json::append_quoted_bytes(members, name);
  members += ':';
  // Text like "007" or "nan" is no number of JSON's.
  const bool is_number = parse_number<double>(value) && nlohmann::json::accept(value);
  if (is_number) {
    members += value;
  } else {
    chrome_json::append_quoted_bytes(members, value);
  }
}

}  // namespace weft::formats
