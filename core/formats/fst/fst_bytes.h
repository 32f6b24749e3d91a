// Small steps that the parts of an FST file share: numbers, and what is packed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/binary.h"

namespace weft::formats::fst {

inline std::optional<uint64_t> take_big(std::string_view& bytes) {
  const auto value = take_little<uint64_t>(bytes);
  return value ? std::optional(std::byteswap(*value)) : std::nullopt;
}

// Seven bits a byte, the lowest first; the last has its highest bit clear.
inline std::optional<uint64_t> take_varint(std::string_view& bytes, bool is_signed = false) {
  constexpr uint32_t kWordBits = 64, kBits = 7;
  constexpr uint8_t kMore = 0x80, kSign = 0x40;
  uint64_t value = 0;
  for (uint32_t shift = 0; shift < kWordBits && !bytes.empty(); shift += kBits) {
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & (kMore - 1)) << shift;
    if ((byte & kMore) != 0) continue;
    const bool is_negative = is_signed && (byte & kSign) != 0 && shift + kBits < kWordBits;
    return is_negative ? value | ~uint64_t{0} << (shift + kBits) : value;
  }
  return std::nullopt;
}

// Up to a zero, which is taken, too.
inline std::optional<std::string_view> take_text(std::string_view& bytes) {
  const size_t end = bytes.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return text;
}

enum class Packing : uint8_t { kZlib, kLz4, kFastLz };
// Exactly `size` bytes, or nothing.
std::optional<std::string> unpacked(Packing packing, std::string_view bytes, uint64_t size);
// The same by zlib, but where it is not packed and has as many bytes. Nothing beyond `most`.
std::optional<std::string> unpacked_part(std::string_view bytes, uint64_t size, uint64_t most);

}  // namespace weft::formats::fst
