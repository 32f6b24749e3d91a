// Blocks of bytes, packed by repeating what was there before. Each appends to `out`, to which it
// may refer; false where it is damaged, or where there would be more than `most` bytes in all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::formats {

bool unpack_lz4(std::string_view in, uint64_t most, std::string& out);
// Frames of LZ4, one behind the other, as files of it have them; checksums are not looked at.
bool unpack_lz4_frame(std::string_view in, uint64_t most, std::string& out);
bool unpack_fastlz(std::string_view in, uint64_t most, std::string& out);

}  // namespace weft::formats
