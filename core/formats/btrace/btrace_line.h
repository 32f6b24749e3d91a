// One line of a Btrace text log, taken apart: fields between tabulators, the first a time, the
// second what happened, the others `Key:Value`.
//
//   124<tab>MESSAGE_RECEIVE<tab>Uid:006<tab>Sender:0x4F<tab>Receiver:0x13
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::btrace {

// Views into the line, as written.
struct BtraceLine {
  std::string_view time;
  std::string_view kind;
  std::vector<std::pair<std::string_view, std::string_view>> fields;

  // The value of a field; none where there is no such field.
  std::optional<std::string_view> field(std::string_view key) const;
};

// Without the spaces around it.
std::string_view trimmed(std::string_view text);

// False where the line has no time and no kind. Fields without a colon are left out and counted.
bool parse_line(std::string_view text, BtraceLine& line, uint32_t& bad_fields);

// Digits alone: that number of ticks. With a point: seconds, as nanoseconds; digits past the ninth
// are dropped.
std::optional<Time> parse_btrace_time(std::string_view text);
inline bool is_in_seconds(std::string_view time) {
  return time.find('.') != std::string_view::npos;
}

// "006", "0x4F": the number.
std::optional<uint64_t> parse_number(std::string_view text);
// The one spelling of an id: "0x4F" for 0x4f and 79 alike; names as they are.
std::string canonical_id(std::string_view text);

// Bytes as pairs of hexadecimal digits, with or without spaces or 0x between. None where it is
// anything else.
std::optional<std::vector<std::byte>> parse_bytes(std::string_view text);

}  // namespace weft::formats::btrace
