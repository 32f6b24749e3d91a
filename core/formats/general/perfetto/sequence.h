// What packets of one writer (a sequence) need of those before them: interned names, defaults,
// values that count from the last. Lost with a packet, until the writer says it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/trace/model.h"

namespace weft::formats::perfetto {

struct Track;

// Where texts are interned, by the field of InternedData.
enum class Interned : uint32_t {
  kCategory = 1,
  kEventName = 2,
  kAnnotationName = 3,
  kSourceLocation = 4,  // its message
  kFunctionName = 5,
  kFrame = 6,      // its message
  kCallstack = 7,  // its message
  kBuildId = 16,
  kMappingPath = 17,
  kSourcePath = 18,
  kMapping = 19,  // its message
  kLogBody = 20,
  kGraphicsContext = 23,  // its message
  kGpuSpecification = 24,
  kHistogramName = 25,
  kKernelSymbol = 26,
  kAnnotationTypeName = 27,
  kAnnotationText = 29,
  kNetworkContext = 30,  // its message
  kProtoLogText = 36,
  kProtoLogStack = 37,
  kWakeLock = 42,  // its message
  kCorrelation = 43,
  kTaskContext = 48,   // its message
  kAsyncContext = 51,  // its message
  kGpuCounters = 47,   // its message
};

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
  std::string_view text(Interned kind, uint64_t iid) const;

  const uint32_t id;
  bool is_complete = true;  // nothing was lost since its state was cleared
  bool was_cleared = false;
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
  // Null: too large a number to remember.
  KnownType* known_type(uint64_t name_iid, bool is_link);
  // Of a name that has a type other than of links. None: it is not remembered.
  EventTypeId type_of(uint64_t name_iid, uint32_t category_and_kind) const {
    if (name_iid >= types.size()) return EventTypeId::none();
    const KnownType& known = types[static_cast<size_t>(name_iid)];
    return known.category_and_kind == category_and_kind ? known.type : EventTypeId::none();
  }

  struct InternedKey {
    Interned kind;
    uint64_t iid;
    bool operator==(const InternedKey&) const = default;
  };
  struct InternedHash {
    size_t operator()(const InternedKey& key) const {
      return key.iid * 64 + static_cast<size_t>(key.kind);
    }
  };
  std::unordered_map<InternedKey, std::string, InternedHash> interned;
  std::vector<KnownType> types, link_types;

  uint64_t interned_bytes = 0;

  // TracePacketDefaults.
  uint32_t clock = 0;  // 0: the trace's
  std::optional<uint64_t> track;
  std::vector<uint64_t> counters, real_counters;
  // What perf counted in its samples: what they are taken by, then what follows it.
  std::vector<std::string> perf_counters;

  bool take_defaults(std::string_view message);  // false: damaged

  uint64_t last_uuid = 0;       // of the track of its last event
  Track* last_track = nullptr;  // null: none yet

  std::optional<ThreadReference> thread;
  std::unordered_map<uint64_t, double> counter_values;  // of incremental counters, by track
};

}  // namespace weft::formats::perfetto
