#include "core/formats/base/lz_blocks.h"

#include <optional>

#include "core/formats/base/binary.h"

namespace weft::formats {
namespace {

// Copies `size` bytes from `distance` behind the end; both may overlap. Returns false if that is
// before the begin.
bool repeat(std::string& out, size_t distance, size_t size, uint64_t most) {
  if (distance == 0 || distance > out.size() || size > most - out.size()) return false;
  for (size_t i = 0; i < size; ++i) out += out[out.size() - distance];
  return true;
}

bool append(std::string& out, std::string_view& in, size_t size, uint64_t most) {
  if (size > in.size() || size > most - out.size()) return false;
  out.append(in.substr(0, size));
  in.remove_prefix(size);
  return true;
}

std::optional<uint8_t> take_byte(std::string_view& in) {
  if (in.empty()) return std::nullopt;
  const auto byte = static_cast<uint8_t>(in.front());
  in.remove_prefix(1);
  return byte;
}

// Adds bytes as long as they are 255.
bool lengthen(std::string_view& in, size_t& length) {
  constexpr uint8_t kGoesOn = 255;
  for (auto byte = take_byte(in); byte; byte = take_byte(in)) {
    length += *byte;
    if (*byte != kGoesOn) return true;
  }
  return false;
}

}  // namespace

// Literals and what is repeated, in turns; the last has only literals.
bool unpack_lz4(std::string_view in, uint64_t most, std::string& out) {
  constexpr size_t kInNibble = 15, kLeastMatch = 4;
  while (const auto token = take_byte(in)) {
    size_t literals = *token >> 4;
    if (literals == kInNibble && !lengthen(in, literals)) return false;
    if (!append(out, in, literals, most)) return false;
    if (in.empty()) break;
    const auto distance = take_little<uint16_t>(in);
    size_t match = *token & kInNibble;
    if (!distance || (match == kInNibble && !lengthen(in, match))) return false;
    if (!repeat(out, *distance, match + kLeastMatch, most)) return false;
  }
  return true;
}

bool unpack_lz4_frame(std::string_view in, uint64_t most, std::string& out) {
  constexpr uint32_t kMagic = 0x184D2204, kPlain = 1u << 31;
  constexpr uint8_t kBlockChecksums = 0x10, kSize = 0x08, kChecksum = 0x04, kDictionary = 0x01;
  constexpr size_t kChecksumBytes = 4;
  while (!in.empty()) {
    const auto magic = take_little<uint32_t>(in);
    const auto flags = take_byte(in), largest = take_byte(in);
    if (magic != kMagic || !flags || !largest) return false;
    const size_t head = ((*flags & kSize) != 0 ? 8 : 0) + ((*flags & kDictionary) != 0 ? 4 : 0) + 1;
    if (!take_bytes(in, head)) return false;
    while (true) {
      const auto size = take_little<uint32_t>(in);
      if (!size) return false;
      if (*size == 0) break;
      auto block = take_bytes(in, *size & ~kPlain);
      if (!block) return false;
      const bool is_plain = (*size & kPlain) != 0;
      if (is_plain ? !append(out, *block, block->size(), most) : !unpack_lz4(*block, most, out))
        return false;
      if ((*flags & kBlockChecksums) != 0 && !take_bytes(in, kChecksumBytes)) return false;
    }
    if ((*flags & kChecksum) != 0 && !take_bytes(in, kChecksumBytes)) return false;
  }
  return true;
}

// Both levels of FastLZ; the second has longer matches, and longer distances.
bool unpack_fastlz(std::string_view in, uint64_t most, std::string& out) {
  constexpr size_t kLiterals = 32, kLongMatch = 7, kFar = 31, kFarthestNear = 8191;
  if (in.empty()) return false;
  const bool is_second = (static_cast<uint8_t>(in.front()) >> 5) == 1;
  bool is_first = true;
  while (auto control = take_byte(in)) {
    if (is_first) *control &= kLiterals - 1;
    is_first = false;
    if (*control < kLiterals) {
      if (!append(out, in, size_t{*control} + 1, most)) return false;
      continue;
    }
    size_t match = *control >> 5;
    const size_t high = *control & (kLiterals - 1);
    if (match == kLongMatch) {
      if (is_second) {
        if (!lengthen(in, match)) return false;
      } else {
        const auto more = take_byte(in);
        if (!more) return false;
        match += *more;
      }
    }
    const auto low = take_byte(in);
    if (!low) return false;
    size_t distance = high * 256 + *low;
    if (is_second && high == kFar && *low == 255) {
      const auto first = take_byte(in), second = take_byte(in);
      if (!first || !second) return false;
      distance = kFarthestNear + size_t{*first} * 256 + *second;
    }
    if (!repeat(out, distance + 1, match + 2, most)) return false;
  }
  return true;
}

}  // namespace weft::formats
