#include "core/formats/general/perfetto/perfetto_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/ahead.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/packet_stream.h"
#include "core/formats/general/perfetto/packets.h"
#include "core/formats/general/perfetto/parsed_packet.h"
#include "core/io/reopen.h"

namespace weft::formats {
namespace {

constexpr uint64_t kMostDamaged = 1 << 20;
constexpr uint64_t kMostPacketBytes = 256ull << 20;

using perfetto::Field;

// Known contents of packets: fields that are messages or texts, and fields that are numbers, as
// bits.
struct KnownData {
  uint32_t packet_field, bytes, numbers;
};
constexpr uint32_t bits(std::initializer_list<uint32_t> fields) {
  uint32_t all = 0;
  for (const uint32_t each : fields) all |= 1u << each;
  return all;
}
constexpr KnownData kKnownData[] = {
    {perfetto::kFtraceEvents, bits({2, 4}), bits({1, 3, 5, 6, 7})},
    {perfetto::kProcessTree, bits({1, 2}), bits({3})},
    {perfetto::kClockSnapshot, bits({1}), bits({2})},
    {perfetto::kTrackEvent, bits({4, 6, 22, 23}), bits({1, 2, 8, 9, 10, 11, 16, 17})},
    {perfetto::kTraceConfig, bits({1, 2, 6}), bits({3, 4, 5})},
    {perfetto::kProcessDescriptor, bits({2, 6, 8}), bits({1, 3, 4, 5, 7})},
    {perfetto::kThreadDescriptor, bits({5}), bits({1, 2, 3, 4, 6, 7, 8})},
    {perfetto::kEtwEvents, bits({2}), bits({1})},
    {perfetto::kTrackDescriptor, bits({2, 3, 4, 6, 7, 8, 10}), bits({1, 5, 9})},
    {perfetto::kTraceStats, bits({1, 11, 18}), bits({2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15})},
    {perfetto::kSystemInfo, bits({1, 2, 4, 9, 10, 11, 12, 13, 14, 15, 17}),
     bits({3, 5, 6, 7, 8, 16})},
    {perfetto::kPrograms, bits({1}), bits({2, 3})},
    {perfetto::kCpuInfo, bits({1}), 0},
    {perfetto::kGpuInfo, bits({1}), 0},
    {perfetto::kRails, bits({1, 2}), bits({3})},
    {perfetto::kGames, bits({1}), bits({2, 3})},
    {perfetto::kTraceUuid, 0, bits({1, 2})},
};

enum class Look : uint8_t { kUnknown, kRight, kWrong };

// Whether a field of a packet holds what its number says.
Look look_of_data(const Field& field, bool is_whole) {
  constexpr std::string_view kZlib = "\x78", kZstd = "\x28\xB5\x2F\xFD";
  const auto has_magic = [&](std::string_view magic) {
    return field.bytes.starts_with(magic) ? Look::kRight : Look::kWrong;
  };
  if (field.number == perfetto::kZlibPackets) return has_magic(kZlib);
  if (field.number == perfetto::kZstdPackets) return has_magic(kZstd);
  const auto* const known = std::ranges::find(kKnownData, field.number, &KnownData::packet_field);
  if (known == std::end(kKnownData)) return Look::kUnknown;
  uint32_t seen = 0, wrong = 0;
  const bool is_well_formed = perfetto::for_each_field(field.bytes, [&](const Field& inner) {
    const uint32_t bit = inner.number < 32 ? 1u << inner.number : 0;
    seen |= bit;
    wrong |= bit & (inner.is_bytes ? known->numbers : known->bytes);
  });
  if (wrong != 0 || (is_whole && !is_well_formed)) return Look::kWrong;
  return (seen & (known->bytes | known->numbers)) != 0 ? Look::kRight : Look::kUnknown;
}

// Whether what is there of a packet may be one: its fields have the types that packets' have, and
// those that are known hold what they should.
Look look_of_packet(std::string_view bytes, bool is_whole) {
  auto look = Look::kUnknown;
  const auto add = [&](const Field& field, bool is_field_whole) {
    constexpr uint32_t kNumbers[] = {3, 8, 10, 13, 41, 42, 58, 79, 87, 98};
    constexpr uint32_t kMostNumber = 2000;
    const bool is_number = std::ranges::find(kNumbers, field.number) != std::end(kNumbers);
    const Look data = look_of_data(field, is_field_whole);
    if (field.is_bytes == is_number || field.number > kMostNumber || data == Look::kWrong) {
      look = Look::kWrong;
    } else if (look == Look::kUnknown) {
      look = data;
    }
  };
  const auto add_whole = [&](const Field& field) { add(field, true); };
  if (perfetto::for_each_field(bytes, add_whole)) return look;
  if (is_whole) return Look::kWrong;
  if (const auto cut = perfetto::cut_field(bytes)) add(*cut, false);
  return look;
}

// A blank line begins as a packet does. Numbers and lengths of a trace are not text for long.
bool is_all_text(std::span<const std::byte> head) {
  return std::ranges::none_of(head, [](std::byte each) {
    const auto c = static_cast<uint8_t>(each);
    return c < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
}

constexpr size_t kTailBytes = 1 << 20;

// The last bytes of a file; empty where that would mean to unpack much twice, or it cannot be read
// again.
std::string tail_of(io::Source& source) {
  constexpr uint64_t kMostPacked = 8 << 20;
  std::string tail;
  if (const auto map = source.mapped()) {
    const std::string_view bytes = as_chars(map->bytes());
    return std::string(bytes.substr(bytes.size() - std::min(bytes.size(), kTailBytes)));
  }
  if (!io::can_be_reopened(source) || source.disk_bytes_total() > kMostPacked) return tail;
  const auto again = io::Source::open(source.path());
  std::vector<std::byte> part(kTailBytes);
  while (again) {
    const auto count = (*again)->read(part);
    if (!count || *count == 0) break;
    tail += as_chars(std::span(part).first(*count));
    tail.erase(0, tail.size() - std::min(tail.size(), kTailBytes));
  }
  return tail;
}

// Chrome says behind all events what their arguments are called: it is looked for there first.
void describe_ahead(std::string_view tail, perfetto::Packets& packets) {
  constexpr std::string_view kField = "\xC2\x04";  // extension_descriptor, bytes
  for (size_t at = tail.rfind(kField); at != std::string_view::npos && at > 0;
       at = tail.rfind(kField, at - 1)) {
    std::string_view rest = tail.substr(at + kField.size());
    const auto size = take_varint(rest);
    const auto message = take_bytes(rest, size.value_or(UINT64_MAX));
    perfetto::ArgumentNames names;
    if (message && names.describe(*message) && names.has_described())
      return packets.describe_ahead(*message);
  }
}

bool take_run(perfetto::PacketStream& stream, perfetto::PacketRun& run) {
  const perfetto::Packet packets = stream.next_run();
  run.bytes.assign(packets.bytes);
  run.offset = packets.offset;
  return !run.bytes.empty();
}

}  // namespace

int sniff_perfetto(std::span<const std::byte> head) {
  std::string_view text = as_chars(head);
  constexpr int kMostPackets = 8, kSure = 80, kLikely = 40;
  int packets = 0;
  bool is_surely = false, is_likely = false;
  while (!text.empty() && packets < kMostPackets) {
    const perfetto::PacketHead packet = perfetto::head_of_packet(text);
    if (packet.size == 0) break;
    if (!packet.is_packet && !is_surely) return 0;
    if (!packet.is_packet) break;
    text.remove_prefix(packet.size);
    const bool is_whole = packet.bytes <= text.size();
    const std::string_view bytes =
        text.substr(0, static_cast<size_t>(std::min<uint64_t>(packet.bytes, text.size())));
    const Look look = look_of_packet(bytes, is_whole);
    if (look == Look::kWrong && !is_surely) return 0;
    is_likely |= look == Look::kRight;
    is_surely |= is_whole && perfetto::is_surely_packet(bytes, bytes.size());
    text.remove_prefix(bytes.size());
    packets += bytes.empty() ? 0 : 1;
  }
  if (is_surely) return kSure;
  return is_likely && !is_all_text(head) ? kLikely : 0;
}

Status read_perfetto(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  constexpr uint64_t kBytesBetweenLooks = 1 << 18;
  constexpr size_t kMostAhead = 4;  // two workers keep up with who plays
  perfetto::PacketStream stream(source, sink, std::min(kMostPacketBytes, context.memory_bytes / 2));
  perfetto::Packets packets(sink, context.memory_bytes);
  describe_ahead(tail_of(source), packets);
  uint64_t looked_at = 0;
  const auto wants_more = [&](uint64_t offset) {
    if (stream.damaged() + packets.damaged() > kMostDamaged) {
      sink.loss("too much damage: what follows was not read", offset);
      return false;
    }
    if (offset - looked_at < kBytesBetweenLooks) return true;
    looked_at = offset;
    sink.progress(source.disk_bytes_read(), source.disk_bytes_total());
    return sink.keep_going();
  };
  Ahead<perfetto::PacketRun> ahead(context.pool, kMostAhead,
                                   [](perfetto::PacketRun& run) { run.parse(); });
  for (bool goes_on = true; goes_on;) {
    const auto may_read = [&] {
      return ahead.is_empty() || (!ahead.is_full() && source.is_ready());
    };
    while (may_read() && take_run(stream, ahead.idle())) ahead.push();
    if (!ahead.is_empty()) {
      const perfetto::PacketRun& run = ahead.front();
      goes_on = std::ranges::all_of(run.packets, [&](const perfetto::ParsedPacket& packet) {
        packets.add(packet, run.parts[packet.parts]);
        return wants_more(packet.offset);
      });
      ahead.pop();
    } else if (const auto packet = stream.next()) {
      packets.add(*packet);
      goes_on = wants_more(packet->offset);
    } else {
      goes_on = false;
    }
  }
  packets.finish();
  return {};
}

}  // namespace weft::formats
