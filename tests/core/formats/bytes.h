// Bytes of binary formats for tests, put together piece by piece.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::test {

class Bytes {
 public:
  template <class Value>
  Bytes& little(Value value) {
    const auto raw = std::bit_cast<std::array<char, sizeof(Value)>>(value);
    bytes_.append(raw.data(), raw.size());
    return *this;
  }
  template <std::integral Value>
  Bytes& big(Value value) {
    for (size_t i = sizeof(Value); i-- > 0;)
      bytes_ += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
    return *this;
  }
  // Seven bits a byte, the lowest first.
  Bytes& varint(uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value | 128);
    bytes_ += static_cast<char>(value);
    return *this;
  }
  Bytes& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  // Zeros, up to a multiple of so many bytes.
  Bytes& pad(size_t multiple) {
    bytes_.resize((bytes_.size() + multiple - 1) / multiple * multiple, '\0');
    return *this;
  }
  size_t size() const { return bytes_.size(); }
  const std::string& str() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace weft::test
