// The packets of a Perfetto trace, in the order of the file: each finds its sequence and its time,
// and goes to what understands its data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/perfetto/fields.h"
#include "core/formats/perfetto/machine.h"
#include "core/formats/perfetto/packet_stream.h"
#include "core/formats/perfetto/sequence.h"

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
    uint32_t machine = 0;  // 0: the one that recorded
    bool is_cleared = false, needs_state = false, lost_packets = false;
    std::string_view interned, defaults;
    Field data;  // the first of the messages that are a packet's contents
  };
  static bool parse_head(std::string_view bytes, Head& head);
  Sequence& find_sequence(const Head& head);
  // Null: there are too many.
  Machine* other_machine(uint32_t id);
  bool is_usable(const Head& head, Sequence& sequence, uint64_t offset);
  bool take_time(const Head& head, Machine& machine, Sequence& sequence, uint64_t offset,
                 std::optional<Time>& time);
  void count_lost_packets(Sequence& sequence, std::optional<Time> now);
  void add_data(const Head& head, Machine& machine, Sequence& sequence, uint64_t offset);
  void add_compressed(const Field& data, uint64_t offset);
  void add_clock_snapshot(std::string_view message, const Head& head, Machine& machine,
                          uint64_t offset);
  void add_track_descriptor(std::string_view message, Machine& machine, Sequence& sequence,
                            uint64_t offset);
  static void refer_to_thread(std::string_view descriptor, Sequence& sequence);
  void count_damage(bool is_good, std::string_view kind, uint64_t offset) {
    if (!is_good) sink_.loss(kind, offset);
  }

  trace::EventSink& sink_;
  const uint64_t memory_bytes_;
  Machine host_;
  std::map<uint32_t, Machine> others_;
  std::map<std::pair<uint32_t, uint32_t>, std::unique_ptr<Sequence>> sequences_;  // by machine, id
  Sequence* last_sequence_ = nullptr;
  uint32_t last_machine_ = 0;  // whose it is
  uint64_t compressed_bytes_ = 0, decompressed_bytes_ = 0;
  bool is_in_compressed_ = false;
  uint64_t damaged_ = 0;
};

}  // namespace weft::formats::perfetto
