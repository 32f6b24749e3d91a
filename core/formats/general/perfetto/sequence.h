// The incremental state of one writer (a sequence): interned names, defaults, delta-encoded values.
// If a packet is lost the state is invalid until the writer sends it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/formats/general/perfetto/interned_texts.h"
#include "core/trace/model.h"

namespace weft::formats::perfetto {

struct Track;

// The legacy times of track events count from here.
struct ThreadReference {
  int32_t pid = 0, tid = 0;
  int64_t time_us = 0;
  int64_t thread_time_us = 0;
  int64_t instructions = 0;
};

struct Sequence {
  explicit Sequence(uint32_t number) : id(number) {}

  void clear();
  // InternedData; nothing is kept beyond `memory_bytes`. Returns what is not: damaged or too much.
  uint64_t intern(std::string_view message, uint64_t memory_bytes);
  // One entry of it. False: it is not kept.
  bool intern_one(Interned kind, std::string_view message, uint64_t memory_bytes);
  // A text, or the bytes of a message. Empty: not known.
  std::string_view text(Interned kind, uint64_t iid) const { return interned.find(kind, iid); }

  const uint32_t id;
  bool is_complete = true;  // nothing was lost since its state was cleared
  bool was_seen = false;
  uint64_t losses = 0;  // of packets, since the last one with a time
  uint64_t loss_offset = 0;
  std::optional<Time> last_time;

  // The type that an interned name was given last, by the name's number: most names have one
  // category and are of one kind. Small, since a trace may have many sequences.
  struct KnownType {
    EventTypeId type = EventTypeId::none();
    uint32_t category_and_kind = 0;
  };
  // Returns null if the number is too large to remember.
  KnownType* known_type(uint64_t name_iid, bool is_link);
  // The type of a name other than for links; none() if it is not remembered.
  EventTypeId type_of(uint64_t name_iid, uint32_t category_and_kind) const {
    if (name_iid >= types.size()) return EventTypeId::none();
    const KnownType& known = types[static_cast<size_t>(name_iid)];
    return known.category_and_kind == category_and_kind ? known.type : EventTypeId::none();
  }

  InternedTexts interned;
  uint64_t version = 0;  // of what is interned: another, once a number may mean something else
  std::vector<KnownType> types, link_types;

  // TracePacketDefaults.
  uint32_t clock = 0;  // 0: the trace's
  std::optional<uint64_t> track;
  std::vector<uint64_t> counters, real_counters;
  // The counters of perf samples: the one that triggers them, then its followers.
  std::vector<std::string> perf_counters;

  bool take_defaults(std::string_view message);  // false: damaged

  uint64_t last_uuid = 0;       // of the track of its last event
  Track* last_track = nullptr;  // null: none yet

  std::optional<ThreadReference> thread;
  std::unordered_map<uint64_t, double> counter_values;  // of incremental counters, by track
};

}  // namespace weft::formats::perfetto
