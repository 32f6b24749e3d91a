// Parameters of events, put together as the text of a JSON object from texts: what reads as a
// number is one.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/general/chrome_json/json_text.h"

namespace weft::formats {

// All of the text, in JSON's grammar and within a double's range: "007" and "nan" are none.
inline bool is_json_number(std::string_view text) {
  constexpr size_t kMostDigits = 300;  // so many are within the range, in any place
  const auto take_digits = [&text] {
    const size_t digits =
        static_cast<size_t>(std::ranges::find_if_not(text, chrome_json::is_digit) - text.begin());
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

// Appends `"name":value`, behind a comma where there are members before it; of the braces `members`
// may have the first. Any bytes.
inline void append_member(std::string& members, std::string_view name, std::string_view value) {
  if (!members.empty() && members.back() != '{') members += ',';
  chrome_json::append_quoted_bytes(members, name);
  members += ':';
  if (is_json_number(value)) {
    members += value;
  } else {
    chrome_json::append_quoted_bytes(members, value);
  }
}

}  // namespace weft::formats
