// Packets of one sequence as bytes, by protozero. Names and categories are interned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/formats/base/by_name.h"

namespace weft::formats::perfetto {

enum EventKind : uint32_t { kLegacy = 0, kSliceBegin = 1, kSliceEnd = 2, kInstant = 3 };

struct EventPacket {
  int64_t time = 0;
  uint64_t track = 0;
  EventKind kind = kLegacy;
  char phase = 0;     // kLegacy: 's' or 'f', of a flow
  uint64_t flow = 0;  // kLegacy
  std::string_view name{}, category{};
  std::string_view annotations{};  // annotations_of()
};

struct TrackPacket {
  uint64_t uuid = 0;
  uint64_t parent = 0;  // 0: none
  std::string_view name{};
  int32_t pid = -1;  // of a process, with its name, …
  int32_t tid = -1;  // … or, with this, of a thread
  bool is_counter = false;
  int32_t rank = 0;
  uint64_t merge_key = 0;  // siblings of one key are one thing
};

class PacketWriter {
 public:
  void add_event(const EventPacket& event);
  void add_sample(int64_t time, uint64_t track, double value);
  void add_track(const TrackPacket& track);
  void add_nothing() { close_packet(); }  // begins a sequence

  // The bytes added since they were last cleared.
  std::string& bytes() { return bytes_; }

 private:
  using Numbers = ByName<uint64_t>;
  // The text's number; `is_new` where it must be told.
  static uint64_t number_of(Numbers& numbers, std::string_view text, bool& is_new);
  void close_packet();

  std::string bytes_;
  std::string packet_, message_, inner_;  // kept for their memory
  Numbers names_, categories_;
  bool is_first_ = true;
};

// The parameters of an event (a JSON object and a payload) as the debug annotations of a
// TrackEvent.
std::string annotations_of(std::string_view json, std::span<const std::byte> payload);

}  // namespace weft::formats::perfetto
