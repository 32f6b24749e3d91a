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

#include "core/formats/general/perfetto/fields.h"
#include "core/formats/general/perfetto/machine.h"
#include "core/formats/general/perfetto/parsed_packet.h"
#include "core/formats/general/perfetto/sequence.h"
#include "core/formats/general/perfetto/translations.h"

namespace weft::formats::perfetto {

class Packets {
 public:
  Packets(trace::EventSink& sink, uint64_t memory_bytes);

  void add(const ParsedPacket& packet, const PacketParts& parts);
  void add(const Packet& packet);
  // An ExtensionDescriptor that stands behind what it describes.
  void describe_ahead(std::string_view message) { argument_names_.describe(message); }
  void finish();
  uint64_t damaged() const { return damaged_; }

 private:
  Sequence& find_sequence(const ParsedPacket& packet);
  // Returns null if there are too many.
  Machine* other_machine(uint32_t id);
  bool is_usable(const ParsedPacket& packet, const PacketParts& parts, Sequence& sequence);
  bool take_time(const ParsedPacket& packet, Machine& machine, Sequence& sequence, Time& time);
  void count_lost_packets(Sequence& sequence, std::optional<Time> now);
  void add_track_event(const ParsedPacket& packet, const PacketParts& parts, Machine& machine,
                       Sequence& sequence);
  void add_data(const ParsedPacket& packet, const Field& data, Machine& machine,
                Sequence& sequence);
  void add_compressed(const Field& data, uint64_t offset);
  void add_clock_snapshot(const ParsedPacket& packet, std::string_view message, Machine& machine);
  void add_track_descriptor(std::string_view message, Machine& machine, Sequence& sequence,
                            uint64_t offset);
  static void refer_to_thread(std::string_view descriptor, Machine& machine, Sequence& sequence);
  void count_damage(bool is_good, std::string_view kind, uint64_t offset) {
    if (!is_good) sink_.loss(kind, offset);
  }

  trace::EventSink& sink_;
  const uint64_t memory_bytes_;
  ArgumentNames argument_names_;
  Translations translations_;
  Machine host_;
  std::map<uint32_t, Machine> others_;
  std::map<std::pair<uint32_t, uint32_t>, std::unique_ptr<Sequence>> sequences_;  // by machine, id
  // In all sequences.
  uint64_t interned_bytes_ = 0;
  Sequence* last_sequence_ = nullptr;
  uint32_t last_machine_ = 0;  // whose it is
  uint64_t compressed_bytes_ = 0, decompressed_bytes_ = 0;
  bool is_in_compressed_ = false;
  uint64_t damaged_ = 0;
};

}  // namespace weft::formats::perfetto
