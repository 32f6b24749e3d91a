// The packets of a Perfetto trace, one after the other: a trace is the field 1, many times.
//
// Memory: a block, or the largest packet. Where lengths lie, reading goes on at the next bytes that
// can only be a packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/general/perfetto/fields.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

struct Packet {
  std::string_view bytes;
  uint64_t offset = 0;  // in the input
};

// The head of a packet, before its bytes. Size 0: the text is too short to tell; `is_packet` false:
// another field, or nothing that protobuf knows.
struct PacketHead {
  size_t size = 0;
  uint64_t bytes = 0;
  uint32_t number = 0;  // of the field
  bool is_packet = false;
  bool is_field = false;
};
constexpr char kPacketTag = 0x0A;  // field 1, with a length
PacketHead head_of_any_packet(std::string_view text);
inline PacketHead head_of_packet(std::string_view text) {
  const bool is_small =
      text.size() >= 2 && text[0] == kPacketTag && static_cast<uint8_t>(text[1]) < 0x80;
  if (!is_small) return head_of_any_packet(text);
  return {.size = 2,
          .bytes = static_cast<uint8_t>(text[1]),
          .number = 1,
          .is_packet = true,
          .is_field = true};
}

// Returns the field within which a truncated message ends, as far as available.
std::optional<Field> cut_field(std::string_view message);

// Whether these bytes are surely a packet: well-formed fields of the types that packets have, among
// them one that nearly all have. Of more bytes than `most_bytes` it is none: looking for packets
// among damage need not find large ones, since small ones follow.
bool is_surely_packet(std::string_view bytes, size_t most_bytes = 1024);

class PacketStream {
 public:
  PacketStream(io::Source& source, trace::EventSink& sink, uint64_t most_packet_bytes)
      : source_(source), sink_(sink), most_packet_bytes_(most_packet_bytes) {}

  // The view is valid until the next call.
  std::optional<Packet> next();
  // Packets that follow each other, up to some tens of KiB: where the first begins, and all that
  // they are. Empty: what comes is for next() to say, who may have losses to tell.
  Packet next_run();
  // The number of places where a packet was expected but not found.
  uint64_t damaged() const { return damaged_; }

 private:
  size_t size_of_run() const;
  bool grow();
  bool pass_over(uint64_t bytes);
  void find_next_packet();
  std::string_view rest() const { return std::string_view(buffer_).substr(at_); }

  io::Source& source_;
  trace::EventSink& sink_;
  const uint64_t most_packet_bytes_;
  std::string buffer_;
  size_t at_ = 0;        // of the next packet in the buffer
  uint64_t offset_ = 0;  // of it in the input
  bool is_ended_ = false;
  uint64_t damaged_ = 0;
};

}  // namespace weft::formats::perfetto
