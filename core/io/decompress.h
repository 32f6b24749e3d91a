// Bytes in memory, decompressed at once and within limits: for formats that hold compressed parts.
// Files that are compressed as a whole are read by Source.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::io {

enum class Compression : uint8_t { kZlib, kZstd };  // zlib: also with the head of gzip

// Appends what `bytes` decompress to, up to `most_bytes`; an error (damage, more than that) leaves
// what came before it.
Status decompress(Compression compression, std::string_view bytes, uint64_t most_bytes,
                  std::string& out);

}  // namespace weft::io
