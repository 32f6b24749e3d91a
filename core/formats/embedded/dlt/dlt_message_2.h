// A message of version 2 of the protocol (AUTOSAR R22-11), taken apart:
//
//   storage header    "DLT\2", seconds u40, nanoseconds u32, unit; by DLT Viewer nanoseconds u32,
//                     seconds u40 (both little-endian), unit
//   base header       flags u32 (little-endian), counter u8, length u16 (of all from the flags on)
//   by the content    verbose: kind u8, arguments u8, nanoseconds u32, seconds u40
//                     non-verbose: nanoseconds u32, seconds u40, id u32
//                     control: kind u8, arguments u8
//   extended header   unit, application and context, session u32, file and line u32, tags,
//                     privacy u8, segmentation, as the flags say
//   payload           as in version 1, without the id
//
// The highest bit of a sender's nanoseconds says that they count from its start. Names are a length
// u8 and so many bytes. Numbers are big-endian by the standard; COVESA's daemon
// wrote the length and the sender's time in little-endian at first, and writes what is stored and
// the arguments so to this day. What fits is taken.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/formats/base/byte_window.h"
#include "core/formats/embedded/dlt/dlt_message.h"

namespace weft::formats::dlt {

constexpr std::string_view kMagic2("DLT\2", 4);

// A message from the base header on, whose length and sender's fields are little-endian or not.
// Returns nullopt if its headers do not fit. Views into `bytes`.
std::optional<Message> parse_sent_2(std::string_view bytes, bool is_little);

class Version2 {
 public:
  // Finds out who stored the messages from the first of them.
  void judge_storage(std::string_view head);
  // Returns the size of the message that begins here, such that another message or the end follows;
  // 0 if none begins here.
  size_t size_of(ByteWindow& window);
  // Parses the bytes of this message. Returns nullopt if its headers do not fit. Views into
  // `bytes`.
  std::optional<Message> parse(std::string_view bytes);

 private:
  std::optional<int64_t> stored_time(std::string_view bytes, std::optional<int64_t> sent);

  bool is_little_ = false;     // the length and the sender's fields
  bool is_by_viewer_ = false;  // what is stored
  int big_times_ = 0;          // surplus of stored times that can only be big-endian
};

}  // namespace weft::formats::dlt
