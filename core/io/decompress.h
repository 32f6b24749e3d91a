// Decompression of bytes in memory, within limits, for formats with compressed parts. Files that
// are compressed as a whole are read by Source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::io {

enum class Compression : uint8_t { kZlib, kZstd, kBzip2 };  // kZlib also reads gzip

// Appends the decompressed `bytes` to `out`, at most `most_bytes`. On an error (damage, or more
// than that) `out` keeps what came before it.
Status decompress(Compression compression, std::string_view bytes, uint64_t most_bytes,
                  std::string& out);

// Decompresses zlib in pieces, for data too large as a whole. `take` gets each piece and returns
// whether it wants more. Fails only on damage.
Status inflate_pieces(std::string_view bytes, const std::function<bool(std::string_view)>& take);

// Decompresses the blocks of one zstd stream that was flushed after each. Blocks may refer to
// earlier ones within the stream's window, which must not exceed 2^`window_log` bytes.
class ZstdBlocks {
 public:
  explicit ZstdBlocks(int window_log);
  ~ZstdBlocks();

  // Decompresses a block into `out` and returns its size. Fails if it is damaged or exceeds `out`.
  Result<size_t> decompress(std::string_view block, std::span<char> out);
  // Appends the decompressed block to `out`; fails if it exceeds `most_bytes`.
  Status append(std::string_view block, uint64_t most_bytes, std::string& out);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace weft::io
