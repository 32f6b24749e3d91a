#include "core/formats/general/perfetto/packets.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"
#include "core/io/decompress.h"

namespace weft::formats::perfetto {
namespace {

constexpr uint64_t kFreeBytes = 64ull << 20, kMostRatio = 200;  // as of a compressed file

}  // namespace

Packets::Packets(trace::EventSink& sink, uint64_t memory_bytes)
    : sink_(sink),
      memory_bytes_(memory_bytes),
      host_(sink, memory_bytes, LaneId::none(), 0, argument_names_, translations_) {}

Sequence& Packets::find_sequence(const ParsedPacket& packet) {
  auto& sequence = sequences_[{packet.machine, packet.sequence}];
  if (sequence == nullptr) sequence = std::make_unique<Sequence>(packet.sequence);
  last_sequence_ = sequence.get();
  last_machine_ = packet.machine;
  return *sequence;
}

Machine* Packets::other_machine(uint32_t id) {
  constexpr size_t kMostOthers = 16;
  const auto it = others_.find(id);
  if (it != others_.end()) return &it->second;
  if (others_.size() >= kMostOthers) return nullptr;
  const LaneId lane = sink_.add_lane(lane_of_machine(fmt::format("machine {}", id)));
  return &others_
              .try_emplace(id, sink_, memory_bytes_ / kMostOthers, lane, id, argument_names_,
                           translations_)
              .first->second;
}

// Returns false if its clock is not known.
inline bool Packets::take_time(const ParsedPacket& packet, Machine& machine, Sequence& sequence,
                               Time& time) {
  uint32_t clock = packet.clock != 0 ? packet.clock : sequence.clock;
  if (clock == 0) clock = machine.clocks.trace_clock();
  if (machine.clocks.is_plain(clock)) {
    time = machine.clocks.plain_time(packet.timestamp);
  } else if (const auto known = machine.clocks.time_of(sequence.id, clock, packet.timestamp)) {
    time = *known;
  } else {
    sink_.loss("time of an unknown clock", packet.offset);
    return false;
  }
  if (sequence.losses > 0) count_lost_packets(sequence, time);
  sequence.last_time = time;
  return true;
}

inline void Packets::add_track_event(const ParsedPacket& packet, const PacketParts& parts,
                                     Machine& machine, Sequence& sequence) {
  Time time{};
  if (packet.has_timestamp && !take_time(packet, machine, sequence, time)) return;
  machine.track_events.add(packet, parts.data.bytes, sequence,
                           packet.has_timestamp ? &time : nullptr);
}

void Packets::add(const ParsedPacket& packet, const PacketParts& parts) {
  if (packet.is_damaged) {
    ++damaged_;
    return sink_.loss("packet damaged", packet.offset);
  }
  Machine* const machine = packet.machine == 0 ? &host_ : other_machine(packet.machine);
  if (machine == nullptr) return sink_.loss("packets of too many machines", packet.offset);
  const bool is_of_last = last_sequence_ != nullptr && last_sequence_->id == packet.sequence &&
                          last_machine_ == packet.machine;
  Sequence& sequence = is_of_last ? *last_sequence_ : find_sequence(packet);
  const bool is_ordinary = packet.is_plain && sequence.was_seen && !packet.is_cleared &&
                           !packet.lost_packets && (sequence.is_complete || !packet.needs_state);
  if (!is_ordinary && !is_usable(packet, parts, sequence)) return;
  if (packet.is_plain || parts.data.number == kTrackEvent)
    return add_track_event(packet, parts, *machine, sequence);
  add_data(packet, parts.data, *machine, sequence);
}

void Packets::add(const Packet& packet) {
  ParsedPacket parsed;
  PacketParts parts;
  parse_packet(packet, parsed, parts);
  add(parsed, parts);
}

// Brings the sequence's state up to date; false where the packet needs what was lost.
bool Packets::is_usable(const ParsedPacket& packet, const PacketParts& parts, Sequence& sequence) {
  const bool is_first = !sequence.was_seen;
  sequence.was_seen = true;
  if (packet.lost_packets && !is_first) {
    ++sequence.losses;
    sequence.loss_offset = packet.offset;
  }
  if (packet.is_cleared) {
    interned_bytes_ -= sequence.interned.size_bytes();
    sequence.clear();
  } else if (packet.lost_packets) {
    sequence.is_complete = false;
    sequence.thread.reset();
  }
  if (packet.needs_state && !sequence.is_complete) {
    sink_.loss("packet that needs others that were lost", packet.offset);
    return false;
  }
  if (!parts.defaults.empty())
    count_damage(sequence.take_defaults(parts.defaults), "defaults damaged", packet.offset);
  if (!parts.interned.empty()) {
    const uint64_t of_others = interned_bytes_ - sequence.interned.size_bytes();
    const uint64_t lost =
        sequence.intern(parts.interned, memory_bytes_ - std::min(memory_bytes_, of_others));
    interned_bytes_ = of_others + sequence.interned.size_bytes();
    if (lost > 0) sink_.loss("interned data damaged or beyond the memory", packet.offset, lost);
  }
  return true;
}

// Between what came before and what comes now, on the lane of the writer's events.
void Packets::count_lost_packets(Sequence& sequence, std::optional<Time> now) {
  trace::LossPlace place(sequence.loss_offset);
  if (sequence.last_track != nullptr) place.lane = sequence.last_track->lane;
  place.time = sequence.last_time ? sequence.last_time : now;
  if (now && sequence.last_time && *sequence.last_time < *now)
    place.duration = *now - *sequence.last_time;
  sink_.loss("packets lost by the writer", place, sequence.losses);
  sequence.losses = 0;
}

void Packets::add_data(const ParsedPacket& packet, const Field& data, Machine& machine,
                       Sequence& sequence) {
  const uint64_t offset = packet.offset;
  switch (data.number) {
    case 0:
    case kSynchronization:
      return;
    case kClockSnapshot:
      return add_clock_snapshot(packet, data.bytes, machine);
    case kTrackDescriptor:
      return add_track_descriptor(data.bytes, machine, sequence, offset);
    case kProcessDescriptor:
      return count_damage(machine.tracks.describe_process(data.bytes), "process descriptor damaged",
                          offset);
    case kThreadDescriptor:
      count_damage(machine.tracks.describe_thread(data.bytes), "thread descriptor damaged", offset);
      return refer_to_thread(data.bytes, machine, sequence);
    case kRemoteClockSync:
      return count_damage(machine.clocks.add_remote_sync(data.bytes), "clock snapshot damaged",
                          offset);
    case kExtensions:
      return count_damage(argument_names_.describe(data.bytes), "extension descriptor damaged",
                          offset);
    case kTranslations:
      return count_damage(translations_.add(data.bytes),
                          "translation table damaged or beyond the memory", offset);
    case kZlibPackets:
    case kZstdPackets:
      return add_compressed(data, offset);
    case kFtraceEvents:
      return machine.ftrace.add(data.bytes, sequence, offset);
    default:
      break;
  }
  std::optional<Time> time;
  if (packet.has_timestamp && !take_time(packet, machine, sequence, time.emplace())) return;
  const bool is_shown =
      machine.system.add(data, time, offset) || machine.gpus.add(data, sequence, time, offset) ||
      machine.gpu_stages.add(data, sequence, time, offset) ||
      machine.power.add(data, sequence, time, offset) ||
      machine.samples.add(data, sequence, time, offset) ||
      machine.heaps.add(data, sequence, time, offset) ||
      machine.memory.add(data, sequence, time, offset) ||
      machine.programs.add(data, sequence, time, offset) ||
      machine.other_kernels.add(data, time, offset) || machine.windows.add(data, offset) ||
      machine.proto_log.add(data, sequence, time, offset) ||
      machine.transitions.add(data, time, offset) ||
      machine.described.add(data, sequence, time, offset);
  if (is_shown) return;
  const std::string_view kind = packet_kind(data.number);
  sink_.note("packets not shown: " +
                 (kind.empty() ? fmt::format("number {}", data.number) : std::string(kind)),
             offset);
}

void Packets::add_clock_snapshot(const ParsedPacket& packet, std::string_view message,
                                 Machine& machine) {
  const ClockSnapshot snapshot = parse_clock_snapshot(message);
  machine.clocks.add_snapshot(packet.sequence, snapshot.readings, snapshot.primary);
  count_damage(snapshot.is_whole, "clock snapshot damaged", packet.offset);
}

void Packets::add_track_descriptor(std::string_view message, Machine& machine, Sequence& sequence,
                                   uint64_t offset) {
  constexpr uint32_t kThread = 4;
  count_damage(machine.tracks.describe(message), "track descriptor damaged", offset);
  for_each_field(message, [&](const Field& field) {
    if (field.number == kThread) refer_to_thread(field.bytes, machine, sequence);
  });
}

// Legacy events of the sequence happen on this thread, and count their times from what it says.
void Packets::refer_to_thread(std::string_view descriptor, Machine& machine, Sequence& sequence) {
  ThreadReference thread;
  for_each_field(descriptor, [&](const Field& field) {
    if (field.number == 1) thread.pid = field.int32();
    if (field.number == 2) thread.tid = machine.kernel.lanes().id_of(field.integer());
    if (field.number == 6) thread.time_us = field.integer();
    if (field.number == 7) thread.thread_time_us = field.integer();
    if (field.number == 8) thread.instructions = field.integer();
  });
  sequence.thread = thread;
}

void Packets::add_compressed(const Field& data, uint64_t offset) {
  if (is_in_compressed_) return sink_.loss("compressed packets within compressed packets", offset);
  compressed_bytes_ += data.bytes.size();
  const uint64_t most = kFreeBytes + compressed_bytes_ * kMostRatio;
  const uint64_t left = most - std::min(most, decompressed_bytes_);
  std::string whole;
  const Status status =
      io::decompress(data.number == kZlibPackets ? io::Compression::kZlib : io::Compression::kZstd,
                     data.bytes, std::min(left, memory_bytes_ / 2), whole);
  if (!status) sink_.loss("compressed packets: " + status.error().message, offset);
  decompressed_bytes_ += whole.size();
  is_in_compressed_ = true;
  std::string_view rest = whole;
  while (!rest.empty()) {
    const PacketHead head = head_of_packet(rest);
    if (!head.is_field || head.bytes > rest.size() - head.size) {
      if (status) sink_.loss("compressed packet damaged or cut", offset);  // else it was said
      break;
    }
    const auto bytes = static_cast<size_t>(head.bytes);
    if (head.is_packet) add(Packet{rest.substr(head.size, bytes), offset});
    rest.remove_prefix(head.size + bytes);
  }
  is_in_compressed_ = false;
}

void Packets::finish() {
  std::vector<Sequence*> lossy;
  for (const auto& [key, sequence] : sequences_) {
    if (sequence->losses > 0) lossy.push_back(sequence.get());
  }
  std::ranges::sort(lossy, {}, &Sequence::loss_offset);
  for (Sequence* sequence : lossy) count_lost_packets(*sequence, std::nullopt);
  host_.finish();
  size_t unresolved = host_.clocks.unresolved();
  for (auto& [id, machine] : others_) {
    machine.finish();
    unresolved += machine.clocks.unresolved();
    if (!machine.clocks.is_synchronized())
      sink_.note("machine whose clock is not known: its times are its own",
                 trace::LossPlace::nowhere());
  }
  constexpr std::string_view kClockNames[] = {"",          "REALTIME",         "REALTIME_COARSE",
                                              "MONOTONIC", "MONOTONIC_COARSE", "MONOTONIC_RAW",
                                              "BOOTTIME"};
  const uint32_t clock = host_.clocks.trace_clock();
  sink_.set_metadata("clock", clock < std::size(kClockNames) ? std::string(kClockNames[clock])
                                                             : fmt::format("clock {}", clock));
  if (unresolved > 0)
    sink_.note("clock snapshot without a known clock", trace::LossPlace::nowhere(), unresolved);
}

}  // namespace weft::formats::perfetto
