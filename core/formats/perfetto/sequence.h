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
#include "core/trace/model.h"

namespace weft::formats::perfetto {

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
  kKernelSymbol = 26,
  kAnnotationTypeName = 27,
  kAnnotationText = 29,
  kCorrelation = 43,
  kGpuCounters = 47,  // its message
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
  // A text, or the bytes of a message. Empty: not known.
  std::string_view text(Interned kind, uint64_t iid) const;

  const uint32_t id;
  bool is_complete = true;  // nothing was lost since its state was cleared
  bool was_cleared = false;
  bool was_seen = false;

  struct TypeKey {
    uint64_t name, category;
    trace::Category kind;
    bool operator==(const TypeKey&) const = default;
  };
  struct TypeHash {
    size_t operator()(const TypeKey& key) const {
      constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;
      return ((key.name * kOdd ^ key.category) * kOdd) + static_cast<size_t>(key.kind);
    }
  };
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
  struct NamedType {
    EventTypeId type = EventTypeId::none();
    uint64_t name = 0;  // a hash of it
  };
  std::unordered_map<TypeKey, NamedType, TypeHash> types;  // by interned numbers

  uint64_t interned_bytes = 0;

  // TracePacketDefaults.
  uint32_t clock = 0;  // 0: the trace's
  std::optional<uint64_t> track;
  std::vector<uint64_t> counters, real_counters;

  bool take_defaults(std::string_view message);  // false: damaged

  std::optional<ThreadReference> thread;
  std::unordered_map<uint64_t, double> counter_values;  // of incremental counters, by track
};

}  // namespace weft::formats::perfetto
