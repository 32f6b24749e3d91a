#include "core/formats/messages/log/message_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/formats/base/text.h"

namespace weft::formats::messages {
namespace {

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

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

std::optional<std::vector<std::byte>> parse_bytes(std::string_view text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 2);
  while (!text.empty()) {
    if (is_space(text.front())) {
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

}  // namespace weft::formats::messages
