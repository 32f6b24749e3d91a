// Decoders of a stream: decompressors for gzip and what atrace compresses (zlib), zstd (libzstd),
// xz (liblzma) and bzip2 (libbz2), members one after another included; and UTF-16 made UTF-8.
// Internal to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/result.h"

namespace weft::io {

class Decoder {
 public:
  virtual ~Decoder() = default;

  struct Step {
    size_t taken = 0;              // of `in`
    size_t made = 0;               // of `out`
    const char* damage = nullptr;  // that lies behind what was made
  };
  // Takes from `in` and makes `out`; progresses wherever either allows.
  virtual Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out) = 0;

  // True between members: here the input may end.
  virtual bool is_at_end() const = 0;
  virtual const char* name() const = 0;
};

// The decoder of what begins with `head`; null where it is to be read as it is.
Result<std::unique_ptr<Decoder>> decoder_for(std::span<const std::byte> head);

// Whether it begins as LZ4, which is not decoded here: libarchive reads it (stream.cpp).
bool begins_lz4(std::span<const std::byte> head);

}  // namespace weft::io
