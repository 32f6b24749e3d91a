// Small steps that the parts of an FST file share: numbers, and what is packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/base/binary.h"

namespace weft::formats::fst {

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
