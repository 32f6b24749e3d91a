#include "core/formats/messages/log/message_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/formats/base/text.h"

namespace weft::formats::messages {
namespace {

// Of hexadecimal digits; -1: of others.
constexpr auto kDigitValues = [] {
  std::array<int8_t, 256> values{};
  values.fill(-1);
  constexpr std::string_view kLower = "0123456789abcdef", kUpper = "0123456789ABCDEF";
  for (int8_t value = 0; value < 16; ++value) {
    values[static_cast<uint8_t>(kLower[static_cast<size_t>(value)])] = value;
    values[static_cast<uint8_t>(kUpper[static_cast<size_t>(value)])] = value;
  }
  return values;
}();

int digit_value(char c) { return kDigitValues[static_cast<uint8_t>(c)]; }

bool is_hexadecimal(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X");
}

}  // namespace

std::optional<Time> parse_time(std::string_view text) {
  const size_t point = text.find('.');
  if (point == std::string_view::npos) {
    const auto ticks = weft::parse_number<int64_t>(text);
    return ticks ? std::optional(Time{*ticks}) : std::nullopt;
  }
  constexpr size_t kDigits = 9;
  std::string digits(text.substr(point + 1, kDigits));
  const std::string_view behind = text.substr(std::min(text.size(), point + 1 + kDigits));
  if (!std::ranges::all_of(behind, [](char c) { return is_digit(c); })) return std::nullopt;
  digits.resize(kDigits, '0');
  const auto seconds = weft::parse_number<int64_t>(text.substr(0, point));
  const auto nanoseconds = weft::parse_number<uint32_t>(digits);
  if (!seconds || !nanoseconds) return std::nullopt;
  int64_t ticks = 0;
  if (__builtin_mul_overflow(*seconds, kNsPerSecond, &ticks)) return std::nullopt;
  const bool is_negative = text.starts_with('-');
  return Time{is_negative ? saturating_sub(ticks, *nanoseconds)
                          : saturating_add(ticks, *nanoseconds)};
}

std::optional<uint64_t> parse_number(std::string_view text) {
  return is_hexadecimal(text) ? weft::parse_number<uint64_t>(text.substr(2), 16)
                              : weft::parse_number<uint64_t>(text);
}

std::string canonical_id(std::string_view text) {
  const auto number = parse_number(text);
  return number ? fmt::format("0x{:X}", *number) : std::string(text);
}

bool append_bytes(std::vector<std::byte>& bytes, std::string_view text) {
  while (!text.empty()) {
    if (is_space(text.front())) {
      text.remove_prefix(1);
      continue;
    }
    if (is_hexadecimal(text)) {
      text.remove_prefix(2);
      if (text.empty()) return false;
      continue;
    }
    const int high = digit_value(text[0]);
    const int low = text.size() > 1 ? digit_value(text[1]) : -1;
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<std::byte>(high << 4 | low));
    text.remove_prefix(2);
  }
  return true;
}

}  // namespace weft::formats::messages
