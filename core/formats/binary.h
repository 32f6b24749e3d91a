// Small steps that readers of binary formats share: little-endian values and bytes, taken off the
// begin of what is there.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace weft::formats {

template <class Value>
std::optional<Value> take_little(std::string_view& bytes) {
  if (bytes.size() < sizeof(Value)) return std::nullopt;
  char raw[sizeof(Value)];
  for (size_t i = 0; i < sizeof raw; ++i)
    raw[std::endian::native == std::endian::little ? i : sizeof raw - 1 - i] = bytes[i];
  Value value;
  std::memcpy(&value, raw, sizeof value);
  bytes.remove_prefix(sizeof raw);
  return value;
}

inline std::optional<std::string_view> take_bytes(std::string_view& bytes, uint64_t n) {
  if (bytes.size() < n) return std::nullopt;
  const std::string_view taken = bytes.substr(0, static_cast<size_t>(n));
  bytes.remove_prefix(taken.size());
  return taken;
}

}  // namespace weft::formats
