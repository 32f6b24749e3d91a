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

// A frame of zstd with one block that is not compressed.
inline std::string zstd_frame(std::string_view plain) {
  const auto size = static_cast<uint32_t>(plain.size());
  Bytes all;
  all.little(0xFD2FB528u).little(uint8_t{0xA0}).little(size);  // one segment, its size in 4 bytes
  const uint32_t head = size << 3 | 1;                         // the last block
  all.little(static_cast<uint16_t>(head)).little(static_cast<uint8_t>(head >> 16));
  return all.text(plain).str();
}

}  // namespace weft::test
