// The packets of a Perfetto trace, in the order of the file: each finds its sequence and its time,
// and goes to what understands its data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/ftrace/kernel.h"
#include "core/formats/perfetto/clocks.h"
#include "core/formats/perfetto/counter_lanes.h"
#include "core/formats/perfetto/device_packets.h"
#include "core/formats/perfetto/fields.h"
#include "core/formats/perfetto/ftrace_bundles.h"
#include "core/formats/perfetto/packet_stream.h"
#include "core/formats/perfetto/samples.h"
#include "core/formats/perfetto/sequence.h"
#include "core/formats/perfetto/system_packets.h"
#include "core/formats/perfetto/timeline.h"
#include "core/formats/perfetto/track_events.h"
#include "core/formats/perfetto/tracks.h"

namespace weft::formats::perfetto {

class Packets {
 public:
  Packets(trace::EventSink& sink, uint64_t memory_bytes);

  void add(const Packet& packet);
  void finish();
  uint64_t damaged() const { return damaged_; }

 private:
  // What every packet may say of itself, and its data.
  struct Head {
    std::optional<uint64_t> timestamp;
    uint32_t clock = 0;
    uint32_t sequence = 0;
    bool is_cleared = false, needs_state = false, lost_packets = false;
    std::string_view interned, defaults;
    Field data;  // the first of the messages that are a packet's contents
  };
  static bool parse_head(std::string_view bytes, Head& head);
  Sequence& sequence(uint32_t id);
  bool is_usable(const Head& head, Sequence& sequence, uint64_t offset);
  std::optional<Time> time_of(const Head& head, Sequence& sequence, uint64_t offset);
  void count_lost_packets(Sequence& sequence, std::optional<Time> now);
  void add_data(const Head& head, Sequence& sequence, uint64_t offset);
  void add_compressed(const Field& data, uint64_t offset);
  void add_clock_snapshot(std::string_view message, const Head& head, uint64_t offset);
  void add_track_descriptor(std::string_view message, Sequence& sequence, uint64_t offset);
  static void refer_to_thread(std::string_view descriptor, Sequence& sequence);
  void count_damage(bool is_good, std::string_view kind, uint64_t offset) {
    if (!is_good) sink_.loss(kind, offset);
  }

  trace::EventSink& sink_;
  const uint64_t memory_bytes_;
  ftrace::Kernel kernel_;
  Clocks clocks_;
  Tracks tracks_;
  Timeline timeline_;
  TrackEvents track_events_;
  FtraceBundles ftrace_;
  CounterLanes counters_;
  SystemPackets system_;
  DevicePackets devices_;
  Samples samples_;
  std::unordered_map<uint32_t, std::unique_ptr<Sequence>> sequences_;
  Sequence* last_sequence_ = nullptr;
  uint64_t compressed_bytes_ = 0, decompressed_bytes_ = 0;
  bool is_in_compressed_ = false;
  uint64_t damaged_ = 0;
};

}  // namespace weft::formats::perfetto
