// Helpers shared by the parsers of an FST file: numbers and packed data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/base/binary.h"

namespace weft::formats::fst {

// Takes text up to a zero byte, which is removed, too.
inline std::optional<std::string_view> take_text(std::string_view& bytes) {
  const size_t end = bytes.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view text = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return text;
}

enum class Packing : uint8_t { kZlib, kLz4, kFastLz };
// Unpacks exactly `size` bytes, or returns nullopt.
std::optional<std::string> unpacked(Packing packing, std::string_view bytes, uint64_t size);
// Unpacks zlib, or returns `bytes` themselves if they have that size, i.e. are not packed. nullopt
// above `most`.
std::optional<std::string> unpacked_part(std::string_view bytes, uint64_t size, uint64_t most);

}  // namespace weft::formats::fst
