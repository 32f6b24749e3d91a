// Text from outside, made safe to show: names in traces may hold anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft {

// Valid UTF-8 in which nothing acts: invalid bytes become U+FFFD, control characters, escapes,
// bidirectional marks and line separators become visible ("\n", "\x1b", "\u202e"). At most
// `max_bytes` of input are shown, then "…(n bytes)"; 0 means all of it. For terminals, tables and
// ImGui alike.
std::string printable(std::string_view text, size_t max_bytes = 512);

// Valid UTF-8. Text that was written as Windows-1252, of which Latin-1 is a part, keeps its
// letters; other invalid bytes are replaced by U+FFFD, nothing else is changed.
std::string valid_utf8(std::string_view text);
bool is_valid_utf8(std::string_view text);

// "12,345,678" and "1.2 GiB": for people.
std::string format_count(uint64_t n);
std::string format_bytes(uint64_t n);

// "00ff10": two digits a byte.
std::string hexadecimal(std::span<const std::byte> bytes);

// A cell of comma-separated values: quoted where it must be (RFC 4180), and on one line: control
// characters are made visible.
std::string csv_cell(std::string_view text);

// "400M", "1.5GiB", "65536": K, M, G, T are powers of 1024. 0 where it is no size.
uint64_t parse_bytes(std::string_view text);

}  // namespace weft
