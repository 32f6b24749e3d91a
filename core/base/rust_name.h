// Parsers of mangled Rust names; internal to demangle.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weft::rust {

// Reads the legacy scheme ("_ZN3std2io5Write17h0123456789abcdefE"); `rest` is what follows "_ZN".
std::optional<std::string> read_legacy(std::string_view rest);

// Reads the v0 scheme of RFC 2603 ("_RNvNtC3std2io5Write"); `rest` is what follows "_R". Crate
// hashes, the instantiating crate and linker suffixes are left out. Returns nullopt if the name has
// constants other than numbers, Booleans and characters, or if the result would exceed `most`
// characters. The cost is O(most), since every branch writes.
std::optional<std::string> read_v0(std::string_view rest, size_t most);

}  // namespace weft::rust
