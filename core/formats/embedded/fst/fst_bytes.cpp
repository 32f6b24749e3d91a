#include "core/formats/embedded/fst/fst_bytes.h"

#include <utility>

#include "core/formats/base/lz_blocks.h"
#include "core/io/decompress.h"

namespace weft::formats::fst {

std::optional<std::string> unpacked(Packing packing, std::string_view bytes, uint64_t size) {
  std::string out;
  const bool is_right =
      packing == Packing::kZlib
          ? io::decompress(io::Compression::kZlib, bytes, size + 1, out).has_value()
          : (packing == Packing::kLz4 ? unpack_lz4 : unpack_fastlz)(bytes, size, out);
  return is_right && out.size() == size ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::string> unpacked_part(std::string_view bytes, uint64_t size, uint64_t most) {
  if (bytes.size() == size) return std::string(bytes);
  return size > most ? std::nullopt : unpacked(Packing::kZlib, bytes, size);
}

}  // namespace weft::formats::fst
