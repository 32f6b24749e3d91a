#include "core/formats/messages/bags/chunk.h"

#include "core/base/text.h"
#include "core/formats/base/lz_blocks.h"
#include "core/io/decompress.h"

namespace weft::formats::bags {

Status unpack_chunk(std::string_view compression, std::string_view packed, uint64_t most_bytes,
                    std::string& plain) {
  constexpr const char* kBad = "chunk that cannot be unpacked";
  if (compression == "lz4")
    return unpack_lz4_frame(packed, most_bytes, plain) ? Status() : fail(kBad);
  if (compression != "zstd" && compression != "bz2")
    return fail("chunk whose compression is unknown: " + printable(compression, 16));
  const auto how = compression == "zstd" ? io::Compression::kZstd : io::Compression::kBzip2;
  if (const Status done = io::decompress(how, packed, most_bytes, plain); !done)
    return fail(std::string(kBad) + ": " + done.error().message);
  return {};
}

}  // namespace weft::formats::bags
