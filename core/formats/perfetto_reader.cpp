#include "core/formats/perfetto_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/formats/perfetto/fields.h"
#include "core/formats/perfetto/packet_stream.h"
#include "core/formats/perfetto/packets.h"

namespace weft::formats {
namespace {

constexpr uint64_t kMostDamaged = 1 << 20;
constexpr uint64_t kMostPacketBytes = 256ull << 20;

// Whether what is there of a packet may be one: its fields have the types that packets' have.
bool may_be_packet(std::string_view bytes, bool is_whole) {
  bool is_wrong = false;
  const bool is_well_formed = perfetto::for_each_field(bytes, [&](const perfetto::Field& field) {
    constexpr uint32_t kNumbers[] = {3, 8, 10, 13, 41, 42, 58, 79, 87, 98};
    constexpr uint32_t kMostNumber = 2000;
    const bool is_number = std::ranges::find(kNumbers, field.number) != std::end(kNumbers);
    is_wrong |= field.is_bytes == is_number || field.number > kMostNumber;
  });
  return !is_wrong && (is_well_formed || !is_whole);
}

// A blank line begins as a packet does. Numbers and lengths of a trace are no text for long.
bool is_all_text(std::span<const std::byte> head) {
  return std::ranges::none_of(head, [](std::byte each) {
    const auto c = static_cast<uint8_t>(each);
    return c < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
}

}  // namespace

int sniff_perfetto(std::span<const std::byte> head) {
  std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  constexpr int kMostPackets = 8, kSure = 80, kLikely = 40;
  int packets = 0;
  bool is_surely = false;
  while (!text.empty() && packets < kMostPackets) {
    const perfetto::PacketHead packet = perfetto::head_of_packet(text);
    if (packet.size == 0) break;
    if (!packet.is_packet) return 0;
    text.remove_prefix(packet.size);
    const bool is_whole = packet.bytes <= text.size();
    const std::string_view bytes =
        text.substr(0, static_cast<size_t>(std::min<uint64_t>(packet.bytes, text.size())));
    if (!may_be_packet(bytes, is_whole)) return 0;
    is_surely |= is_whole && perfetto::is_surely_packet(bytes);
    text.remove_prefix(bytes.size());
    packets += bytes.empty() ? 0 : 1;
  }
  if (packets == 0 || (!is_surely && is_all_text(head))) return 0;
  return is_surely ? kSure : kLikely;
}

Status read_perfetto(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  constexpr uint64_t kBytesBetweenLooks = 1 << 18;
  perfetto::PacketStream stream(source, sink, std::min(kMostPacketBytes, context.memory_bytes / 2));
  perfetto::Packets packets(sink, context.memory_bytes);
  uint64_t looked_at = 0;
  while (const auto packet = stream.next()) {
    packets.add(*packet);
    if (stream.damaged() + packets.damaged() > kMostDamaged) {
      sink.loss("too much damage: what follows was not read", packet->offset);
      break;
    }
    if (packet->offset - looked_at < kBytesBetweenLooks) continue;
    looked_at = packet->offset;
    sink.progress(source.disk_bytes_read(), source.disk_bytes_total());
    if (!sink.keep_going()) break;
  }
  packets.finish();
  return {};
}

}  // namespace weft::formats
