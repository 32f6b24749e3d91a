#include "core/formats/perfetto/packets.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/perfetto/system_names.h"
#include "core/io/decompress.h"

namespace weft::formats::perfetto {
namespace {

// Contents of a packet: the fields of TracePacket that matter here.
enum Data : uint32_t {
  kFtraceEvents = 1,
  kProcessTree = 2,
  kClockSnapshot = 6,
  kTrackEvent = 11,
  kTraceConfig = 33,
  kTraceStats = 35,
  kSynchronization = 36,
  kProcessDescriptor = 43,
  kThreadDescriptor = 44,
  kZlibPackets = 50,
  kTrackDescriptor = 60,
  kServiceEvent = 69,
  kZstdPackets = 133,
};

// Everything a sequence keeps may take this share of the memory.
constexpr uint64_t kInternedShare = 4;
constexpr uint64_t kFreeBytes = 64ull << 20, kMostRatio = 200;  // as of a compressed file

}  // namespace

Packets::Packets(trace::EventSink& sink, uint64_t memory_bytes)
    : sink_(sink),
      memory_bytes_(memory_bytes),
      kernel_(sink, LaneId::none(), ftrace::Lanes::OnTasks::kMarks),
      tracks_(sink, kernel_.lanes()),
      timeline_(sink, memory_bytes / 4),
      track_events_(sink, kernel_.lanes(), tracks_, clocks_, timeline_),
      ftrace_(sink, kernel_, clocks_, memory_bytes / 2),
      counters_(sink, kernel_.lanes()),
      system_(sink, kernel_.lanes(), clocks_, timeline_, counters_),
      devices_(sink, kernel_.lanes(), clocks_, counters_),
      samples_(sink, kernel_.lanes(), clocks_) {}

bool Packets::parse_head(std::string_view bytes, Head& head) {
  return for_each_field(bytes, [&](const Field& field) {
    switch (field.number) {
      case 8:
        head.timestamp = field.value;
        break;
      case 58:
        head.clock = field.uint32();
        break;
      case 10:
        head.sequence = field.uint32();
        break;
      case 12:
        head.interned = field.bytes;
        break;
      case 13:
        head.is_cleared |= (field.value & 1) != 0;
        head.needs_state = (field.value & 2) != 0;
        break;
      case 41:
        head.is_cleared |= field.flag();
        break;
      case 42:
        head.lost_packets = field.flag();
        break;
      case 59:
        head.defaults = field.bytes;
        break;
      default:
        if (field.is_bytes && head.data.number == 0) head.data = field;
    }
  });
}

Sequence& Packets::sequence(uint32_t id) {
  if (last_sequence_ != nullptr && last_sequence_->id == id) return *last_sequence_;
  auto& sequence = sequences_[id];
  if (sequence == nullptr) sequence = std::make_unique<Sequence>(id);
  last_sequence_ = sequence.get();
  return *sequence;
}

void Packets::add(const Packet& packet) {
  Head head;
  if (!parse_head(packet.bytes, head)) {
    ++damaged_;
    return sink_.loss("packet damaged", packet.offset);
  }
  Sequence& sequence = this->sequence(head.sequence);
  if (!is_usable(head, sequence, packet.offset)) return;
  add_data(head, sequence, packet.offset);
}

// Brings the sequence's state up to date; false where the packet needs what was lost.
bool Packets::is_usable(const Head& head, Sequence& sequence, uint64_t offset) {
  const bool is_first = !sequence.was_seen;
  sequence.was_seen = true;
  if (head.lost_packets && !is_first) {
    ++sequence.losses;
    sequence.loss_offset = offset;
  }
  if (head.is_cleared) {
    sequence.clear();
  } else if (head.lost_packets) {
    sequence.is_complete = false;
    sequence.thread.reset();
  }
  if (head.needs_state && !sequence.is_complete) {
    sink_.loss("packet that needs others that were lost", offset);
    return false;
  }
  if (!head.defaults.empty())
    count_damage(sequence.take_defaults(head.defaults), "defaults damaged", offset);
  if (!head.interned.empty()) {
    const uint64_t lost = sequence.intern(head.interned, memory_bytes_ / kInternedShare);
    if (lost > 0) sink_.loss("interned data damaged or beyond the memory", offset, lost);
  }
  return true;
}

std::optional<Time> Packets::time_of(const Head& head, Sequence& sequence, uint64_t offset) {
  if (!head.timestamp) return std::nullopt;
  uint32_t clock = head.clock != 0 ? head.clock : sequence.clock;
  if (clock == 0) clock = clocks_.trace_clock();
  const auto time = clocks_.time_of(sequence.id, clock, *head.timestamp);
  if (!time) {
    sink_.loss("time of an unknown clock", offset);
    return time;
  }
  if (sequence.losses > 0) count_lost_packets(sequence, time);
  sequence.last_time = time;
  return time;
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

void Packets::add_data(const Head& head, Sequence& sequence, uint64_t offset) {
  const Field& data = head.data;
  switch (data.number) {
    case 0:
    case kSynchronization:
      return;
    case kClockSnapshot:
      return add_clock_snapshot(data.bytes, head, offset);
    case kTrackDescriptor:
      return add_track_descriptor(data.bytes, sequence, offset);
    case kProcessDescriptor:
      return count_damage(tracks_.describe_process(data.bytes), "process descriptor damaged",
                          offset);
    case kThreadDescriptor:
      count_damage(tracks_.describe_thread(data.bytes), "thread descriptor damaged", offset);
      return refer_to_thread(data.bytes, sequence);
    case kZlibPackets:
    case kZstdPackets:
      return add_compressed(data, offset);
    case kFtraceEvents:
      return ftrace_.add(data.bytes, sequence, offset);
    default:
      break;
  }
  const auto time = time_of(head, sequence, offset);
  if (head.timestamp && !time) return;
  if (data.number == kTrackEvent) return track_events_.add(data.bytes, sequence, time, offset);
  const bool is_shown = system_.add(data, time, offset) ||
                        devices_.add(data, sequence, time, offset) ||
                        samples_.add(data, sequence, time, offset);
  if (is_shown) return;
  const std::string_view kind = packet_kind(data.number);
  sink_.loss("packets not shown: " +
                 (kind.empty() ? fmt::format("number {}", data.number) : std::string(kind)),
             offset, 1, false);
}

void Packets::add_clock_snapshot(std::string_view message, const Head& head, uint64_t offset) {
  constexpr size_t kMostClocks = 1024;
  std::vector<ClockReading> readings;
  uint32_t primary = 0;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 2) primary = field.uint32();
    if (field.number != 1 || readings.size() >= kMostClocks) return;
    ClockReading reading;
    is_good &= for_each_field(field.bytes, [&](const Field& inner) {
      if (inner.number == 1) reading.clock = inner.uint32();
      if (inner.number == 2) reading.ticks = inner.value;
      if (inner.number == 3) reading.is_incremental = inner.flag();
      if (inner.number == 4) reading.nanoseconds = inner.value;
    });
    readings.push_back(reading);
  });
  clocks_.add_snapshot(head.sequence, readings, primary);
  count_damage(is_good, "clock snapshot damaged", offset);
}

void Packets::add_track_descriptor(std::string_view message, Sequence& sequence, uint64_t offset) {
  constexpr uint32_t kThread = 4;
  count_damage(tracks_.describe(message), "track descriptor damaged", offset);
  for_each_field(message, [&](const Field& field) {
    if (field.number == kThread) refer_to_thread(field.bytes, sequence);
  });
}

// Legacy events of the sequence happen on this thread, and count their times from what it says.
void Packets::refer_to_thread(std::string_view descriptor, Sequence& sequence) {
  ThreadReference thread;
  for_each_field(descriptor, [&](const Field& field) {
    if (field.number == 1) thread.pid = field.int32();
    if (field.number == 2) thread.tid = field.int32();
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
      sink_.loss("compressed packet damaged or cut", offset);
      break;
    }
    const auto bytes = static_cast<size_t>(head.bytes);
    if (head.is_packet) add({rest.substr(head.size, bytes), offset});
    rest.remove_prefix(head.size + bytes);
  }
  is_in_compressed_ = false;
}

void Packets::finish() {
  std::vector<Sequence*> lossy;
  for (const auto& [id, sequence] : sequences_) {
    if (sequence->losses > 0) lossy.push_back(sequence.get());
  }
  std::ranges::sort(lossy, {}, &Sequence::loss_offset);
  for (Sequence* sequence : lossy) count_lost_packets(*sequence, std::nullopt);
  ftrace_.finish();
  kernel_.finish();
  timeline_.finish();
  samples_.finish();
  tracks_.finish();
  system_.finish();
  constexpr std::string_view kClockNames[] = {"",          "REALTIME",         "REALTIME_COARSE",
                                              "MONOTONIC", "MONOTONIC_COARSE", "MONOTONIC_RAW",
                                              "BOOTTIME"};
  const uint32_t clock = clocks_.trace_clock();
  sink_.set_metadata("clock", clock < std::size(kClockNames) ? std::string(kClockNames[clock])
                                                             : fmt::format("clock {}", clock));
  if (clocks_.unresolved() > 0)
    sink_.loss("clock snapshot without a known clock", trace::LossPlace::nowhere(),
               clocks_.unresolved(), false);
}

}  // namespace weft::formats::perfetto
