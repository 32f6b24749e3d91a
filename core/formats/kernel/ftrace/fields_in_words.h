// What some tracepoints print in words, as the fields that they have.
#pragma once

#include <string>
#include <string_view>

namespace weft::formats::ftrace {

// "tag=31 opcode=0x28" of "send_req: …: tag: 31, opcode: 0x28 (READ_10)"; empty where the event
// prints fields, or nothing that is known.
std::string fields_in_words(std::string_view event, std::string_view args);

}  // namespace weft::formats::ftrace
