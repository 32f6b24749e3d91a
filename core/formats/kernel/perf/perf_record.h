// The records of perf.data, and what an event's attributes say of how its samples lie in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/base/binary.h"

namespace weft::formats::perf {

enum RecordType : uint32_t {
  kMmap = 1,
  kLost = 2,
  kComm = 3,
  kExit = 4,
  kThrottle = 5,
  kFork = 7,
  kSample = 9,
  kMmap2 = 10,
  kLostSamples = 13,
  kSwitch = 14,
  kSwitchCpuWide = 15,
  kFirstOfUser = 64,
  kAttributes = 64,
  kTracingData = 66,
  kFinishedRound = 68,
  kAuxTrace = 71,
  kCountsConfiguration = 75,
  kCount = 76,
  kCountsInterval = 77,
  kFeature = 80,
  kCompressed = 81,
  kCompressed2 = 83,
};

constexpr size_t kRecordHeaderBytes = 8;

struct Record {
  Time time{};
  uint64_t offset = 0;
  uint32_t type = 0;
  uint16_t misc = 0;
  std::string body{};  // behind the header
};

inline constexpr uint32_t kTracepoint = 2;  // as the type of an event

// The set-up of an event: struct perf_event_attr.
struct Attributes {
  uint32_t type = 0;
  uint64_t config = 0, sample_type = 0, read_format = 0;
  uint64_t branch_type = 0, user_registers = 0;  // what samples have of each
  Duration interval{};                           // between samples, where their frequency is said
  bool has_ids_everywhere = false;               // sample_id_all
  std::string name;
};
constexpr size_t kLeastAttributes = 64;
// Returns nullopt if it is too short to be one.
std::optional<Attributes> attributes_of(std::string_view bytes);

struct Sampled {
  uint64_t ip = 0, time = 0, id = 0, period = 0;
  int32_t pid = -1, tid = -1;
  std::optional<uint32_t> cpu;
  std::string_view callchain;  // addresses of 64 bits
  std::string_view raw;        // of a tracepoint
  std::optional<uint64_t> address, data_source, weight, branches;
  uint16_t instruction_latency = 0, stage_cycles = 0;  // beside the weight
};
// The body of a sample. Returns nullopt if it does not fit.
std::optional<Sampled> sample_of(std::string_view body, const Attributes& attributes);
// The number by which a sample says its event, where it stands first or at a fixed place.
std::optional<uint64_t> id_of_sample(std::string_view body, const Attributes& any);
// The sample_id that may end other records.
struct Ending {
  std::optional<uint64_t> time;
  std::optional<int32_t> tid;
  std::optional<uint32_t> cpu;
};
Ending ending_of(std::string_view body, const Attributes& attributes);

// The number at a place; 0 where there is none.
template <class Value>
Value value_at(std::string_view bytes, size_t at) {
  std::string_view rest = bytes.substr(std::min(at, bytes.size()));
  return take_little<Value>(rest).value_or(Value{});
}

}  // namespace weft::formats::perf
