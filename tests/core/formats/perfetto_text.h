// Perfetto traces written as text, so that what a test reads can be reviewed: the textual form of
// protobuf, reduced to what the tests need.
//
//   packet { timestamp: 1000 sequence: 1 track_event { type: 1 name: "a" } }   # a comment
//   raw "\x0a\xff"                                                             # bytes as they are
//
// Field names are those of Perfetto's .proto files, the long ones shortened; see kSchema.
#pragma once

#include <string>
#include <string_view>

namespace weft::test {

// The bytes of the trace; throws std::runtime_error where the text is not understood.
std::string perfetto_from_text(std::string_view text);

}  // namespace weft::test
