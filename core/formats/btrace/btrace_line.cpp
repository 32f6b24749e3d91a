#include "core/formats/btrace/btrace_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

namespace weft::formats::btrace {
namespace {

// The text before the next tabulator; `rest` begins behind it.
std::string_view take_field(std::string_view& rest) {
  const size_t end = rest.find('\t');
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return field;
}

// All of the text, as an integer.
template <class Int>
std::optional<Int> integer_from(std::string_view text, int base = 10) {
  Int value = 0;
  const char* const begin = std::to_address(text.begin());
  const char* const end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value, base);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_hexadecimal(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X");
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<std::string_view> BtraceLine::field(std::string_view key) const {
  const auto at = std::ranges::find(fields, key, [](const auto& each) { return each.first; });
  return at == fields.end() ? std::nullopt : std::optional(at->second);
}

bool parse_line(std::string_view text, BtraceLine& line, uint32_t& bad_fields) {
  line.fields.clear();
  bad_fields = 0;
  line.time = trimmed(take_field(text));
  line.kind = trimmed(take_field(text));
  while (!text.empty()) {
    const std::string_view field = trimmed(take_field(text));
    if (field.empty()) continue;
    const size_t colon = field.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      ++bad_fields;
      continue;
    }
    line.fields.emplace_back(trimmed(field.substr(0, colon)), trimmed(field.substr(colon + 1)));
  }
  return !line.time.empty() && !line.kind.empty();
}

std::optional<Time> parse_btrace_time(std::string_view text) {
  const size_t point = text.find('.');
  if (point == std::string_view::npos) {
    const auto ticks = integer_from<int64_t>(text);
    return ticks ? std::optional(Time{*ticks}) : std::nullopt;
  }
  constexpr size_t kDigits = 9;
  std::string digits(text.substr(point + 1, kDigits));
  const std::string_view behind = text.substr(std::min(text.size(), point + 1 + kDigits));
  if (!std::ranges::all_of(behind, [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  digits.resize(kDigits, '0');
  const auto seconds = integer_from<int64_t>(text.substr(0, point));
  const auto nanoseconds = integer_from<uint32_t>(digits);
  if (!seconds || !nanoseconds) return std::nullopt;
  int64_t ticks = 0;
  if (__builtin_mul_overflow(*seconds, 1'000'000'000, &ticks)) return std::nullopt;
  const bool is_negative = text.starts_with('-');
  return Time{is_negative ? saturating_sub(ticks, *nanoseconds)
                          : saturating_add(ticks, *nanoseconds)};
}

std::optional<uint64_t> parse_number(std::string_view text) {
  return is_hexadecimal(text) ? integer_from<uint64_t>(text.substr(2), 16)
                              : integer_from<uint64_t>(text);
}

std::string canonical_id(std::string_view text) {
  const auto number = parse_number(text);
  return number ? fmt::format("0x{:X}", *number) : std::string(text);
}

std::optional<std::vector<std::byte>> parse_bytes(std::string_view text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 2);
  while (!text.empty()) {
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    if (is_hexadecimal(text)) {
      text.remove_prefix(2);
      if (text.empty()) return std::nullopt;
      continue;
    }
    const int high = digit_value(text[0]);
    const int low = text.size() > 1 ? digit_value(text[1]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(high << 4 | low));
    text.remove_prefix(2);
  }
  return bytes;
}

}  // namespace weft::formats::btrace
