// The bytes of a GHW waveform, in the order of the file. What is taken behind its end is zeros:
// asked once a record, has_ended() says so.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"

namespace weft::formats::ghw {

class Input {
 public:
  explicit Input(ByteWindow& window) : window_(window) {}

  void set_big_endian(bool is_big) { is_big_ = is_big; }
  bool has_ended() const { return has_ended_; }
  uint64_t offset() const { return window_.offset(); }
  ByteWindow& window() { return window_; }

  template <class Value>
  Value fixed() {
    const auto bytes = window_.peek(sizeof(Value));
    if (!bytes) return end<Value>();
    std::string_view rest = *bytes;
    const Value value = is_big_ ? *take_big<Value>(rest) : *take_little<Value>(rest);
    window_.skip(sizeof(Value));
    return value;
  }
  uint8_t byte() { return fixed<uint8_t>(); }
  double real() { return std::bit_cast<double>(fixed<uint64_t>()); }
  uint64_t varint() { return leb128(false); }
  int64_t signed_varint() { return static_cast<int64_t>(leb128(true)); }

  // Sections and their ends are named by three letters and a zero.
  using Mark = std::array<char, 4>;
  Mark mark() {
    Mark mark{};
    const auto bytes = window_.peek(mark.size());
    if (!bytes) return end<Mark>();
    std::ranges::copy(*bytes, mark.begin());
    window_.skip(mark.size());
    return mark;
  }

 private:
  template <class Value>
  Value end() {
    has_ended_ = true;
    return {};
  }
  uint64_t leb128(bool is_signed) {
    constexpr size_t kMost = 10;
    std::string_view bytes = window_.peek_most(kMost);
    const size_t size = bytes.size();
    const auto value = take_varint(bytes, is_signed);
    if (!value) return end<uint64_t>();
    window_.skip(size - bytes.size());
    return *value;
  }

  ByteWindow& window_;
  bool is_big_ = false, has_ended_ = false;
};

constexpr Input::Mark mark_of(const char (&text)[4]) { return {text[0], text[1], text[2], '\0'}; }

}  // namespace weft::formats::ghw
