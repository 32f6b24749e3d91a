#include "core/formats/general/perfetto/parsed_packet.h"

#include "core/formats/general/perfetto/clocks.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/packet_field.h"

namespace weft::formats::perfetto {
namespace {

// False: it says more, or is damaged.
inline bool parse_plain(std::string_view message, PlainTrackEvent& event) {
  constexpr uint64_t kMostNumber = UINT32_MAX;
  return for_each_field(message, [&](const Field& field) {
    switch (field.number) {
      case 3:
        if (field.is_bytes || event.category_iid != 0 || field.value == 0) return false;
        event.category_iid = field.uint32();
        return field.value <= kMostNumber;
      case 9:
        event.type = type_from(event.type, field);
        return true;
      case 10:
        event.name_iid = field.uint32();
        return field.value <= kMostNumber;
      case 11:
        event.track = field.value;
        event.has_track = true;
        return true;
      default:
        return false;
    }
  });
}

}  // namespace

void parse_packet(const Packet& packet, ParsedPacket& parsed, PacketParts& parts) {
  parsed.offset = packet.offset;
  const bool is_whole = for_each_field(packet.bytes, [&](const Field& field) {
    switch (field.number) {
      case kTimestamp:
        parsed.timestamp = field.value;
        parsed.has_timestamp = true;
        break;
      case kClock:
        parsed.clock = field.uint32();
        break;
      case kSequence:
        parsed.sequence = field.uint32();
        break;
      case kInternedData:
        parts.interned = field.bytes;
        break;
      case kSequenceFlags:
        parsed.is_cleared |= (field.value & 1) != 0;
        parsed.needs_state = (field.value & 2) != 0;
        break;
      case 41:
        parsed.is_cleared |= field.flag();
        break;
      case 42:
        parsed.lost_packets = field.flag();
        break;
      case 59:
        parts.defaults = field.bytes;
        break;
      case 98:
        parsed.machine = field.uint32();
        break;
      default:
        if (field.is_bytes && parts.data.number == 0) parts.data = field;
    }
  });
  // The tracing service has this clock, whatever the trace's is.
  if (parts.data.number == kServiceEvent && parsed.clock == 0) parsed.clock = Clocks::kBoottime;
  parsed.is_damaged = !is_whole;
  parsed.is_plain = parts.data.number == kTrackEvent && parts.interned.empty() &&
                    parts.defaults.empty() && parse_plain(parts.data.bytes, parsed.event);
}

void PacketRun::parse() {
  packets.clear();
  parts.assign(1, {});
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const PacketHead head = head_of_packet(rest);
    const auto size = static_cast<size_t>(head.bytes);
    const Packet packet{rest.substr(head.size, size), offset + (bytes.size() - rest.size())};
    ParsedPacket& parsed = packets.emplace_back();
    PacketParts more;
    parse_packet(packet, parsed, more);
    if (!parsed.is_plain) {
      parsed.parts = static_cast<uint32_t>(parts.size());
      parts.push_back(more);
    }
    rest.remove_prefix(head.size + size);
  }
}

}  // namespace weft::formats::perfetto
