// The numbers of events in GHC's event logs, and one of them. All numbers are big-endian.
//
//   header   "hdrb" "hetb" types "hete" "hdre" "datb"
//   type     "etb\0" number u16, size u16 (65535: each says its own), description, more, "ete\0"
//   event    type u16, time u64 in ns, size u16 where the type has none, payload
//   end      65535
#pragma once

#include <cstdint>
#include <string>

#include "core/base/time.h"
#include "core/formats/base/binary.h"

namespace weft::formats::ghc {

enum Type : uint16_t {
  kCreateThread = 0,
  kRunThread = 1,
  kStopThread = 2,
  kThreadRunnable = 3,
  kMigrateThread = 4,
  kRunSpark = 5,
  kStealSpark = 6,
  kThreadWakeup = 8,
  kGcStart = 9,
  kGcEnd = 10,
  kCreateSparkThread = 15,
  kLogMessage = 16,
  kStartup = 17,
  kBlock = 18,
  kUserMessage = 19,
  kGcIdle = 20,
  kGcWork = 21,
  kGcDone = 22,
  kVersion = 23,
  kInvocation = 24,
  kCapsetCreate = 25,
  kCapsetDelete = 26,
  kCapsetAssign = 27,
  kCapsetRemove = 28,
  kRuntime = 29,
  kProgramArguments = 30,
  kProgramEnvironment = 31,
  kProcess = 32,
  kParentProcess = 33,
  kSparkCounters = 34,
  kSparkSteal = 39,
  kWallClock = 43,
  kThreadLabel = 44,
  kCapabilityCreate = 45,
  kCapabilityDelete = 46,
  kCapabilityDisable = 47,
  kCapabilityEnable = 48,
  kHeapAllocated = 49,
  kHeapSize = 50,
  kHeapLive = 51,
  kHeapInfo = 52,
  kGcStats = 53,
  kTaskCreate = 55,
  kTaskMigrate = 56,
  kTaskDelete = 57,
  kUserMarker = 58,
  kProcessCreate = 62,  // this and what follows: of Eden
  kProcessKill = 63,
  kProcessThread = 64,
  kMachineCreate = 65,
  kMachineKill = 66,
  kSend = 67,
  kReceive = 68,
  kSendLocal = 69,
  kMemoryReturn = 90,
  kBlocksSize = 91,
  kHeapProfileBegin = 160,
  kCostCentre = 161,
  kHeapSampleBegin = 162,
  kHeapSampleOfStack = 163,
  kHeapSample = 164,
  kHeapSampleEnd = 165,
  kBiographySampleBegin = 166,
  kTimeSample = 167,
  kTimeProfileBegin = 168,
  kInfoTable = 169,
  kMarkBegin = 200,  // this and what follows: of the collector that runs beside the program
  kMarkEnd = 201,
  kSyncBegin = 202,
  kSyncEnd = 203,
  kSweepBegin = 204,
  kSweepEnd = 205,
  kRememberedSetFlush = 206,
  kHeapCensus = 207,
  kPrunedSegments = 208,
  kTickyCounter = 210,
  kTickySample = 211,
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
