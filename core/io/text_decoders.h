// Decoders of text: from what editors, shells, terminals and old systems write to UTF-8 whose lines
// end with line feeds. Internal to core/io.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/io/decoder.h"

namespace weft::io {

// Returns the decoder for text that begins with `head`; null if it needs none.
std::unique_ptr<Decoder> text_decoder_for(std::span<const std::byte> head);

}  // namespace weft::io
