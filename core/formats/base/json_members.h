// Builds event parameters as the text of a JSON object from texts; what reads as a number becomes
// one.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"

namespace weft::formats {

// Whether all of `text` is a number in JSON's grammar and within a double's range: not "007" or
// "nan".
inline bool is_json_number(std::string_view text) {
  constexpr size_t kMostDigits = 300;  // this many are within the range in any position
  const auto take_digits = [&text] {
    const size_t digits =
        static_cast<size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
    text.remove_prefix(digits);
    return digits;
  };
  const std::string_view whole = text;
  take_prefix(text, "-");
  const bool is_zero = text.starts_with('0');
  const size_t digits = take_digits();
  if (digits == 0 || (is_zero && digits > 1)) return false;
  if (take_prefix(text, ".") && take_digits() == 0) return false;
  if (text.empty() && whole.size() <= kMostDigits) return true;
  if (take_prefix(text, "e") || take_prefix(text, "E")) {
    if (!take_prefix(text, "-")) take_prefix(text, "+");
    if (take_digits() == 0) return false;
  }
  return text.empty() && parse_number<double>(whole);
}

// Appends `"name":value`, after a comma if there are members before; `members` may begin with the
// opening brace. Accepts any bytes.
inline void append_member(std::string& members, std::string_view name, std::string_view value) {
  if (!members.empty() && members.back() != '{') members += ',';
  json::append_quoted_bytes(members, name);
  members += ':';
  if (is_json_number(value)) {
    members += value;
  } else {
    json::append_quoted_bytes(members, value);
  }
}

}  // namespace weft::formats
