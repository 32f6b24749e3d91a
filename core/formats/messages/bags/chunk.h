// The chunks of bags, which hold records one behind the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::formats::bags {

// Appends what a chunk holds that is packed as "zstd", "lz4" (frames) or "bz2", up to `most_bytes`.
// An error says what is lost, and leaves what came before it.
Status unpack_chunk(std::string_view compression, std::string_view packed, uint64_t most_bytes,
                    std::string& plain);

}  // namespace weft::formats::bags
