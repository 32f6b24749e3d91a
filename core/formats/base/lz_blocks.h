// LZ decompression. Each function appends to `out`, to which the input may refer; returns false if
// it is damaged or `out` would exceed `most` bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::formats {

bool unpack_lz4(std::string_view in, uint64_t most, std::string& out);
// Unpacks consecutive LZ4 frames, as in .lz4 files; checksums are not verified.
bool unpack_lz4_frame(std::string_view in, uint64_t most, std::string& out);
bool unpack_fastlz(std::string_view in, uint64_t most, std::string& out);

}  // namespace weft::formats
