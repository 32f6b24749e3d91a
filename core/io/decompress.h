// Bytes in memory, decompressed at once and within limits: for formats that hold compressed parts.
// Files that are compressed as a whole are read by Source.
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

enum class Compression : uint8_t { kZlib, kZstd, kBzip2 };  // zlib: also with the head of gzip

// Appends what `bytes` decompress to, up to `most_bytes`; an error (damage, more than that) leaves
// what came before it.
Status decompress(Compression compression, std::string_view bytes, uint64_t most_bytes,
                  std::string& out);

// The same of zlib piece by piece, for what has no room as a whole: `take` is given each, and says
// whether it wants more; then an error is only damage.
Status inflate_pieces(std::string_view bytes, const std::function<bool(std::string_view)>& take);

// The blocks of a stream of zstd that was flushed behind each: they refer to those before, as far
// as the stream's window goes, of which there may be 2^`window_log` bytes.
class ZstdBlocks {
 public:
  explicit ZstdBlocks(int window_log);
  ~ZstdBlocks();

  // How many bytes a block has, which are written to `out`; an error where it is damaged or there
  // are more.
  Result<size_t> decompress(std::string_view block, std::span<char> out);
  // Appends what a block has, up to `most_bytes`.
  Status append(std::string_view block, uint64_t most_bytes, std::string& out);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace weft::io
