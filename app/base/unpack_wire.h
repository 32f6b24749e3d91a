// What is said where an archive is unpacked in a process of its own (app/opening/unpack_apart.h):
// the archive's bytes in blocks, and back what came of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/unpacked.h"

namespace weft::app {

// Before each block. The end, or an error, is a block without bytes, which comes last.
struct BlockHead {
  uint64_t most_bytes = 0;   // PackedInput::most_bytes, from now on
  uint32_t bytes = 0;        // of the archive
  uint32_t error_bytes = 0;  // of why no more of it can be read
};

std::string_view word_of(io::Packing packing);

// The answer; fields that end with a zero byte each, for no name has one.
std::string text_of(const Result<io::Unpacked>& unpacked);
// Takes nothing for granted: text comes out printable, and paths stay below the folder. An answer
// that is none is an error.
Result<io::Unpacked> unpacked_from(std::string_view text);

}  // namespace weft::app
