// Messages as they were sent, without the header of their storage: what came over a serial line or
// from a socket, captured as it was. "DLS\1" may stand before each, whatever its version.
//
// Only the version of the protocol marks the others, so they are told from other bytes by what
// their headers and arguments say, and by lengths that lead from one to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/formats/embedded/dlt/dlt_message.h"

namespace weft::formats::dlt {

constexpr std::string_view kSerialMagic("DLS\1", 4);
// The most bytes that a message's size is read from.
constexpr size_t kSizeBytes = kSerialMagic.size() + 7;

class Stream {
 public:
  // The stream that `head`, the beginning of an input, is read as; nullopt if no message is in it.
  static std::optional<Stream> of(std::string_view head);
  // How surely `head` is one, from 0 to 100. `is_whole`: nothing follows it.
  static int sureness(std::string_view head, bool is_whole);

  bool is_serial() const { return is_serial_; }
  // Returns the size of the message at the start of `bytes` with what stands before it; 0 if none
  // begins there.
  size_t size_of(std::string_view bytes) const;
  // Returns nullopt if its headers do not fit, or say what no sender would. Its time is the
  // sender's; where it has none, that of the one before it. Views into `bytes`.
  std::optional<Message> parse(std::string_view bytes);
  // Returns where the next message seems to begin, from `from` on; npos: nowhere.
  size_t find(std::string_view bytes, size_t from) const;

 private:
  enum class End : uint8_t { kWithMessage, kWithinMessage, kWithOtherBytes };
  // Of messages one behind the other.
  struct Walk {
    size_t messages = 0;
    size_t likely = 0;   // whose headers few other bytes are like
    size_t certain = 0;  // of those, whose arguments fit exactly
    End end = End::kWithMessage;
  };

  Stream(bool is_serial, bool is_little) : is_serial_(is_serial), is_little_(is_little) {}
  // Where the first message may begin.
  size_t begin_in(std::string_view head) const;
  Walk walk(std::string_view bytes) const;
  std::optional<Message> message_in(std::string_view bytes) const;

  bool is_serial_;
  bool is_little_;  // lengths and senders' fields of version 2
  int64_t last_ns_ = 0;
};

}  // namespace weft::formats::dlt
