// A message of a DLT file, and how those of version 1 are taken apart (version 2:
// dlt_message_2.h):
//
//   storage header    "DLT\1", seconds u32, microseconds u32 (little-endian), unit 4
//   standard header   flags u8, counter u8, length u16 (big-endian, from here on),
//                     unit 4, session u32, time u32, as the flags say
//   extended header   kind u8, arguments u8, application 4, context 4
//   payload           arguments, each a type u32 and its value; or an id u32 and bytes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::dlt {

constexpr std::string_view kMagic("DLT\1", 4);
constexpr size_t kStorageBytes = 16, kLeastBytes = kStorageBytes + 4;

enum class Kind : uint8_t { kLog = 0, kTrace = 1, kNetwork = 2, kControl = 3 };

struct Message {
  int64_t time_ns = 0;  // time of storage, if it was stored
  std::string_view unit, application, context;
  std::optional<uint32_t> session, uptime;  // the sender's, in 0.1 ms
  bool has_kind = false;                    // an extended header
  Kind kind = Kind::kLog;
  uint8_t detail = 0;  // the level of a log, and so on
  bool is_verbose = false, is_big_endian = false;
  uint8_t arguments = 0;
  std::string_view payload;
  // Version 2 only:
  std::optional<int64_t> sent_ns;    // on the sender's clock
  std::optional<uint32_t> id, line;  // of a message that is not verbose; in the file
  std::string_view file;
  std::string tags, segment;  // empty: none
  std::optional<uint8_t> privacy;
};

// Returns the size of the message at the start of `bytes` (at least kLeastBytes); 0 if none begins
// there.
size_t size_of(std::string_view bytes);
// Returns nullopt if its headers do not fit. Views into `bytes`.
std::optional<Message> parse(std::string_view bytes);
// The same from the standard header on, into what is known. Returns false if they do not fit.
bool parse_sent(std::string_view bytes, Message& message);

// The arguments of a verbose message: `text` has all of them, for people; `json` those with names,
// and units; `rest` is what follows them. Returns false if they do not fit the payload; those
// before are kept.
struct Arguments {
  std::string text;
  std::string json;
  std::string_view rest;
};
bool take_arguments(const Message& message, Arguments& out);

}  // namespace weft::formats::dlt
