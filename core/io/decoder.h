// Stream decoders: gzip and atrace's compression (zlib), zstd (libzstd), xz (liblzma) and bzip2
// (libbz2), concatenated members included; and of text (text_decoders.h). Internal to core/io.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/base/result.h"
#include "core/io/decompress.h"

namespace weft::io {

class Decoder {
 public:
  virtual ~Decoder() = default;

  struct Step {
    size_t taken = 0;              // bytes consumed of `in`
    size_t made = 0;               // bytes written to `out`
    const char* damage = nullptr;  // found after the bytes written; null: none
  };
  // Decodes from `in` to `out`; makes progress whenever either permits. `is_last`: nothing comes
  // behind `in`.
  virtual Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out,
                              bool is_last) = 0;

  // True between members, where the input may end.
  virtual bool is_at_end() const = 0;
  virtual const char* name() const = 0;
};

// Returns the decoder for input that begins with `head`; null if it needs none.
Result<std::unique_ptr<Decoder>> decoder_for(std::span<const std::byte> head);

// The decoder for bytes that are known to be compressed so. Never null.
std::unique_ptr<Decoder> decoder_of(Compression compression);

// Whether `head` begins LZ4, which is not decoded here but by libarchive (stream.cpp).
bool begins_lz4(std::span<const std::byte> head);

}  // namespace weft::io
