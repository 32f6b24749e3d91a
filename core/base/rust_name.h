// Reads a mangled name of Rust, for demangle.h alone.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weft::rust {

// Of "_ZN3std2io5Write17h0123456789abcdefE", as rustc made them at first, what is behind "_ZN".
std::optional<std::string> read_legacy(std::string_view rest);

// Of "_RNvNtC3std2io5Write", the compiler's own scheme (RFC 2603), what is behind "_R". Hashes of
// crates are left out, as are the crate that made an instance and what a linker added. None of one
// with constants other than numbers, truth values and characters. The text has at most `most`
// characters; O(those), since whatever branches writes.
std::optional<std::string> read_v0(std::string_view rest, size_t most);

}  // namespace weft::rust
