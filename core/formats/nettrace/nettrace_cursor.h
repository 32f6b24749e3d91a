// A place in the bytes of a block of a .NET trace; integers are little-endian. What is taken behind
// its end is zeros, and the place has failed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/formats/binary.h"

namespace weft::formats::nettrace {

// Lone halves of letters become U+FFFD.
std::string utf16_text(std::string_view bytes);
// "00000001-0002-0003-0405-060708090a0b"; empty where it is all zeros.
std::string guid_text(std::string_view bytes);
constexpr size_t kGuidBytes = 16;

class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes), size_(bytes.size()) {}

  bool has_failed() const { return has_failed_; }
  void fail() {
    has_failed_ = true;
    rest_ = {};
  }
  bool is_at_end() const { return rest_.empty(); }
  size_t at() const { return size_ - rest_.size(); }
  std::string_view rest() const { return rest_; }

  template <class Value>
  Value fixed() {
    const auto value = take_little<Value>(rest_);
    if (!value) fail();
    return value.value_or(Value{});
  }
  uint64_t varuint() {
    const auto value = take_varint(rest_);
    if (!value) fail();
    return value.value_or(0);
  }
  uint32_t varuint32() { return static_cast<uint32_t>(varuint()); }
  // Its sign is its lowest bit.
  int64_t varint() { return from_zigzag(varuint()); }
  std::string_view bytes(uint64_t size) {
    const auto taken = take_bytes(rest_, size);
    if (!taken) fail();
    return taken.value_or(std::string_view());
  }
  // UTF-16 up to a zero; where there is none, up to the end.
  std::string utf16() {
    size_t size = 0;
    while (size + 1 < rest_.size() && (rest_[size] != 0 || rest_[size + 1] != 0)) size += 2;
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(std::min(rest_.size(), size + 2));
    return utf16_text(text);
  }
  // UTF-8 behind its length.
  std::string_view utf8() { return bytes(varuint()); }

 private:
  std::string_view rest_;
  size_t size_;
  bool has_failed_ = false;
};

}  // namespace weft::formats::nettrace
