// Helpers for readers of binary formats that take values and bytes off the front of a view. If the
// view is too short, nothing is taken.
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

template <class Value>
std::optional<Value> take_big(std::string_view& bytes) {
  const auto value = take_little<Value>(bytes);
  return value ? std::optional(std::byteswap(*value)) : std::nullopt;
}

// Takes a LEB128 number of at most 64 bits: seven bits a byte, lowest first; the last byte has its
// highest bit clear. Signed numbers are sign-extended.
inline std::optional<uint64_t> take_varint(std::string_view& bytes, bool is_signed = false) {
  constexpr uint32_t kWordBits = 64, kBits = 7;
  constexpr uint8_t kMore = 0x80, kSign = 0x40;
  uint64_t value = 0;
  uint32_t shift = 0;
  for (size_t i = 0; i < bytes.size() && shift < kWordBits; ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    value |= static_cast<uint64_t>(byte & (kMore - 1)) << shift;
    shift += kBits;
    if ((byte & kMore) != 0) continue;
    bytes.remove_prefix(i + 1);
    const bool is_negative = is_signed && (byte & kSign) != 0 && shift < kWordBits;
    return is_negative ? value | ~uint64_t{0} << shift : value;
  }
  return std::nullopt;
}

// Decodes zigzag: 0, 1, 2, 3, … are 0, -1, 1, -2, …
constexpr int64_t from_zigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

// Returns the bytes before the first zero, or all of them.
inline std::string_view until_zero(std::string_view bytes) {
  return bytes.substr(0, bytes.find('\0'));
}

inline std::optional<std::string_view> take_bytes(std::string_view& bytes, uint64_t n) {
  if (bytes.size() < n) return std::nullopt;
  const std::string_view taken = bytes.substr(0, static_cast<size_t>(n));
  bytes.remove_prefix(taken.size());
  return taken;
}

// Takes consecutive fields. Once one does not fit, it and all that follow are zero or empty.
class BinaryFields {
 public:
  explicit BinaryFields(std::string_view bytes) : rest_(bytes), size_(bytes.size()) {}

  bool has_failed() const { return has_failed_; }
  void fail() {
    has_failed_ = true;
    rest_ = {};
  }
  size_t at() const { return size_ - rest_.size(); }
  std::string_view rest() const { return rest_; }

  template <class Value>
  Value little() {
    return value_of(take_little<Value>(rest_));
  }
  template <class Value>
  Value big() {
    return value_of(take_big<Value>(rest_));
  }
  template <class Value>
  Value number(bool is_big_endian) {
    return is_big_endian ? big<Value>() : little<Value>();
  }
  uint64_t varint() { return value_of(take_varint(rest_)); }
  std::string_view bytes(uint64_t size) { return value_of(take_bytes(rest_, size)); }

 private:
  template <class Value>
  Value value_of(std::optional<Value> value) {
    if (!value) fail();
    return value.value_or(Value());
  }

  std::string_view rest_;
  size_t size_;
  bool has_failed_ = false;
};

}  // namespace weft::formats
