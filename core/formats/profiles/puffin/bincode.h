// Values as the crate bincode writes them with its default options: little endian, integers in as
// many bytes as they need. After the first that is not there all are 0 and empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/formats/base/binary.h"

namespace weft::formats::puffin {

class Bincode {
 public:
  explicit Bincode(std::string_view bytes) : rest_(bytes) {}

  bool is_ok() const { return is_ok_; }
  size_t left_bytes() const { return rest_.size(); }

  uint8_t byte() { return value_or_end(take_little<uint8_t>(rest_)); }
  uint64_t number() {
    constexpr uint8_t kTwoBytes = 251, kFourBytes = 252, kEightBytes = 253;
    const uint8_t first = byte();
    if (first < kTwoBytes) return first;
    if (first == kTwoBytes) return value_or_end(take_little<uint16_t>(rest_));
    if (first == kFourBytes) return value_or_end(take_little<uint32_t>(rest_));
    if (first == kEightBytes) return value_or_end(take_little<uint64_t>(rest_));
    return value_or_end(std::optional<uint64_t>());
  }
  int64_t signed_number() { return from_zigzag(number()); }
  std::string_view bytes() { return value_or_end(take_bytes(rest_, number())); }
  // Whether a value follows.
  bool has_value() { return byte() == 1; }

 private:
  template <class Value>
  Value value_or_end(std::optional<Value> value) {
    if (value) return *value;
    is_ok_ = false;
    rest_ = {};
    return {};
  }

  std::string_view rest_;
  bool is_ok_ = true;
};

}  // namespace weft::formats::puffin
