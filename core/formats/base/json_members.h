// Members of event parameters as the text of JSON, from texts: what is exactly a number as it is
// written becomes one. Whole objects are written by ArgsText, in the same way.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"

namespace weft::formats {

// Whether all of `text` is a number in JSON's grammar and within a double's range: not "007" or
// "nan".
inline bool is_json_number(std::string_view text) {
  constexpr size_t kMostDigits = 300;  // this many are within the range in any position
  const char* at = std::to_address(text.begin());
  const char* const end = at + text.size();
  const auto take = [&](char sign) {
    const bool is_there = at != end && *at == sign;
    at += is_there ? 1 : 0;
    return is_there;
  };
  const auto take_digits = [&] {
    const char* const first = at;
    while (at != end && is_digit(*at)) ++at;
    return at - first;
  };
  take('-');
  const bool is_zero = at != end && *at == '0';
  const auto digits = take_digits();
  if (digits == 0 || (is_zero && digits > 1)) return false;
  if (take('.') && take_digits() == 0) return false;
  if (at == end && text.size() <= kMostDigits) return true;
  if (take('e') || take('E')) {
    if (!take('-')) take('+');
    if (take_digits() == 0) return false;
  }
  return at == end && parse_number<double>(text);
}

// Whether every reader of JSON has the number that `text` writes: hexadecimal digits may read as
// an exponent (1e2), and a double rounds what has more digits.
inline bool is_exact_number(std::string_view text) {
  constexpr size_t kExactDigits = std::numeric_limits<double>::digits10;
  if (!is_json_number(text)) return false;
  bool has_point = false;
  for (const char c : text) {
    if (c == 'e' || c == 'E') return false;
    has_point |= c == '.';
  }
  if (has_point) {
    const size_t signs = text.front() == '-' ? 2 : 1;
    return text.size() - signs <= kExactDigits;
  }
  return text.size() <= kExactDigits || parse_number<int64_t>(text) || parse_number<uint64_t>(text);
}

// Appends `"name":`, after a comma if there are members before; `members` may begin with the
// opening brace. Accepts any bytes.
inline void append_name(std::string& members, std::string_view name) {
  if (!members.empty() && members.back() != '{') members += ',';
  json::append_quoted_name(members, name);
}

// Appends `"name":value`.
inline void append_member(std::string& members, std::string_view name, std::string_view value) {
  append_name(members, name);
  if (is_exact_number(value)) {
    members += value;
  } else {
    json::append_quoted_bytes(members, value);
  }
}
inline void append_member(std::string& members, std::string_view name, std::integral auto value) {
  append_name(members, name);
  append_number(members, value);
}

}  // namespace weft::formats
