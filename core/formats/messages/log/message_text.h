// Parses times, ids and bytes in the spellings of message logs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::messages {

// Digits alone: that number of ticks. With a point: seconds, as nanoseconds; digits past the ninth
// are dropped.
std::optional<Time> parse_time(std::string_view text);
inline bool is_in_seconds(std::string_view time) {
  return time.find('.') != std::string_view::npos;
}

// "006", "0x4F": the number.
std::optional<uint64_t> parse_number(std::string_view text);
// The one spelling of an id: "0x4F" for 0x4f and 79 alike; names as they are.
std::string canonical_id(std::string_view text);

// Appends bytes written as pairs of hexadecimal digits, with or without spaces or 0x between.
// Returns false at anything else.
bool append_bytes(std::vector<std::byte>& bytes, std::string_view text);

}  // namespace weft::formats::messages
