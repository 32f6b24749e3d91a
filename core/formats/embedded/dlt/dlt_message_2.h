// A message of version 2 of the protocol (AUTOSAR R22-11), taken apart:
//
//   storage header    "DLT\2", seconds u40, nanoseconds u32, unit
//   base header       flags u32 (little-endian), counter u8, length u16 (of all from the flags on)
//   by the content    verbose: kind u8, arguments u8, nanoseconds u32, seconds u40
//                     non-verbose: nanoseconds u32, seconds u40, id u32
//                     control: kind u8, arguments u8
//   extended header   unit, application and context, session u32, file and line u32, tags,
//                     privacy u8, segmentation, as the flags say
//   payload           as in version 1, without the id
//
// Names are a length u8 and so many bytes. Numbers are big-endian by the standard; COVESA's daemon
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

class Version2 {
 public:
  // How long the message is that begins here: with this length the next one follows, or the end.
  // 0: none begins here.
  size_t size_of(ByteWindow& window);
  // Of the bytes of this message. Nothing where its headers do not fit it. Views into the bytes.
  std::optional<Message> parse(std::string_view bytes);

 private:
  std::optional<int64_t> stored_time(std::string_view bytes, std::optional<int64_t> sent);

  bool is_little_ = false;  // the length, and what the sender wrote
  int big_times_ = 0;       // how many stored times more can only be big-endian than little-endian
};

}  // namespace weft::formats::dlt
