// A place in the bytes of a chunk of Java's Flight Recorder. What is taken behind its end is zeros,
// and the place has failed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/formats/base/binary.h"

namespace weft::formats::jfr {

class Cursor {
 public:
  Cursor(std::string_view bytes, bool is_compressed)
      : bytes_(bytes), is_compressed_(is_compressed) {}

  bool has_failed() const { return has_failed_; }
  void fail() { has_failed_ = true; }
  size_t at() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }
  void move_to(size_t at) { at_ <= bytes_.size() && at <= bytes_.size() ? void(at_ = at) : fail(); }

  // Big-endian.
  template <class Value>
  Value fixed() {
    std::string_view rest = bytes_.substr(at_);
    const auto value = take_big<Value>(rest);
    if (!value) {
      fail();
      return {};
    }
    at_ += sizeof(Value);
    return *value;
  }
  uint8_t byte() { return fixed<uint8_t>(); }
  float real32() { return std::bit_cast<float>(fixed<uint32_t>()); }
  double real64() { return std::bit_cast<double>(fixed<uint64_t>()); }

  // Takes an integer of its full size or, if integers are compressed, of seven bits a byte, lowest
  // first, while the highest bit is set; a ninth byte has eight.
  template <class Value>
  Value integer() {
    return is_compressed_ ? static_cast<Value>(varint()) : fixed<Value>();
  }
  uint64_t varint() {
    constexpr uint8_t kMore = 0x80;
    constexpr uint32_t kBits = 7, kLastShift = 56;
    uint64_t value = 0;
    for (uint32_t shift = 0; !has_failed_; shift += kBits) {
      const uint8_t next = byte();
      if (shift == kLastShift || (next & kMore) == 0) return value | uint64_t{next} << shift;
      value |= static_cast<uint64_t>(next & (kMore - 1)) << shift;
    }
    return 0;
  }
  std::string_view text(uint64_t size) {
    if (size > left()) {
      fail();
      return {};
    }
    const std::string_view text = bytes_.substr(at_, static_cast<size_t>(size));
    at_ += text.size();
    return text;
  }

  // Limits objects that take no bytes: they could be arrays of each other.
  void count_empty() {
    constexpr uint32_t kMost = 1 << 16;
    if (++empties_ > kMost) fail();
  }

 private:
  std::string_view bytes_;
  bool is_compressed_, has_failed_ = false;
  size_t at_ = 0;
  uint32_t empties_ = 0;
};

// A text as its writer encoded it. Of one that lies among the constants, the key.
struct EncodedText {
  std::string text;
  bool is_null = false, is_constant = false;
  uint64_t key = 0;
};
EncodedText take_encoded_text(Cursor& cursor);

}  // namespace weft::formats::jfr
