// A packet taken apart, and not yet understood: what can be said of it by itself, in any order and
// on any thread. Views into the packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/packet_stream.h"
#include "core/formats/general/perfetto/track_event.h"

namespace weft::formats::perfetto {

// Fields that any packet may have; one cache line, since it moves between cores.
struct ParsedPacket {
  uint64_t offset = 0;  // in the input
  uint64_t timestamp = 0;
  PlainTrackEvent event;
  uint32_t clock = 0;  // 0: it does not say
  uint32_t sequence = 0;
  uint32_t machine = 0;  // 0: the one that recorded
  bool has_timestamp = false;
  bool is_cleared = false, needs_state = false, lost_packets = false;
  bool is_damaged = false;
  bool is_plain = false;  // it holds `event`, and there is nothing else in its parts
  uint32_t parts = 0;     // of it, in its run
};

struct PacketParts {
  std::string_view interned, defaults;
  Field data;  // the first of the messages that are a packet's contents
};

// Into what nothing was parsed into.
void parse_packet(const Packet& packet, ParsedPacket& parsed, PacketParts& parts);

// Packets that follow each other, with their bytes.
struct PacketRun {
  std::string bytes;
  uint64_t offset = 0;  // of the bytes in the input
  std::vector<ParsedPacket> packets;
  std::vector<PacketParts> parts;

  // Parses the bytes, all of which must be packets.
  void parse();
};

}  // namespace weft::formats::perfetto
