// The numbers of events in GHC's event logs, and one of them. All numbers are big-endian.
//
//   header   "hdrb" "hetb" types "hete" "hdre" "datb"
//   type     "etb\0" number u16, size u16 (65535: each says its own), description, more, "ete\0"
//   event    type u16, time u64 in ns, size u16 where the type has none, payload
//   end      65535
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/base/binary.h"

namespace weft::formats::ghc {

enum Type : uint16_t {
  kCreateThread = 0,
  kRunThread = 1,
  kStopThread = 2,
  kThreadRunnable = 3,
  kMigrateThread = 4,
  kThreadWakeup = 8,
  kGcStart = 9,
  kGcEnd = 10,
  kLogMessage = 16,
  kStartup = 17,
  kBlock = 18,
  kUserMessage = 19,
  kGcIdle = 20,
  kGcWork = 21,
  kGcDone = 22,
  kCapsetCreate = 25,
  kCapsetAssign = 27,
  kRuntime = 29,
  kProgramArguments = 30,
  kProgramEnvironment = 31,
  kProcess = 32,
  kSparkCounters = 34,
  kWallClock = 43,
  kThreadLabel = 44,
  kHeapAllocated = 49,
  kHeapSize = 50,
  kHeapLive = 51,
  kUserMarker = 58,
  kHeapSampleBegin = 162,
  kHeapSample = 164,
  kHeapSampleEnd = 165,
  kInfoTable = 169,
  kEnd = 0xFFFF,
};

constexpr uint32_t kNoCapability = UINT32_MAX;

struct Event {
  Time time{};
  uint64_t offset = 0;
  uint32_t capability = kNoCapability;
  uint16_t type = 0;
  std::string payload;
};

}  // namespace weft::formats::ghc
