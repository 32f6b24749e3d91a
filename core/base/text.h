// Text from outside made safe to show (names in traces may hold anything), and text for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft {

// Returns valid UTF-8 without active characters: invalid bytes become U+FFFD; control characters,
// escapes, bidirectional marks and line separators become visible ("\n", "\x1b", "\u202e"). Shows
// at most `max_bytes` of the input, then "…(n bytes)"; 0 shows all. Suits terminals, tables and
// ImGui alike.
std::string printable(std::string_view text, size_t max_bytes = 512);

// Returns `text` as valid UTF-8. Text in Windows-1252 (a superset of printable Latin-1) keeps its
// letters; other invalid bytes become U+FFFD. Nothing else changes.
std::string valid_utf8(std::string_view text);
bool is_valid_utf8(std::string_view text);

// Format numbers for people: "12,345,678", "-12,345" and "1.2 GiB".
std::string format_count(uint64_t n);
std::string format_signed_count(int64_t n);
std::string format_bytes(uint64_t n);

// Returns a decimal number grouped like a count: "-12,345.6" of "-12345.6".
std::string with_groups(std::string number);

// Returns two lower-case digits a byte: "00ff10".
std::string hexadecimal(std::span<const std::byte> bytes);

// Returns `text` as one CSV cell, quoted where RFC 4180 requires it. Control characters are made
// visible, so the cell stays on one line.
std::string csv_cell(std::string_view text);

// Parses a size: "400M", "1.5GiB", "65536". K, M, G and T are powers of 1024. Returns 0 if `text`
// is not a size.
uint64_t parse_bytes(std::string_view text);

}  // namespace weft
