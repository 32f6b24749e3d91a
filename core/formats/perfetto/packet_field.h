// Fields of a packet (TracePacket of Perfetto's protos/perfetto/trace/trace_packet.proto).
#pragma once

#include <cstdint>

namespace weft::formats::perfetto {

enum PacketField : uint32_t {
  kFtraceEvents = 1,
  kProcessTree = 2,
  kUid = 3,
  kClockSnapshot = 6,
  kSysStats = 7,
  kTimestamp = 8,
  kProcessStats = 9,
  kSequence = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kTraceConfig = 33,
  kFtraceStats = 34,
  kTraceStats = 35,
  kSynchronization = 36,
  kBattery = 38,
  kAndroidLog = 39,
  kRails = 40,
  kProcessDescriptor = 43,
  kThreadDescriptor = 44,
  kSystemInfo = 45,
  kZlibPackets = 50,
  kGpuCounters = 52,
  kGpuStage = 53,
  kStreamingProfile = 54,
  kClock = 58,
  kTrackDescriptor = 60,
  kModuleSymbols = 61,
  kDeobfuscation = 64,
  kPerfSample = 66,
  kMemoryMap = 68,
  kServiceEvent = 69,
  kGpuMemory = 71,
  kFrameTimeline = 76,
  kEnergy = 77,
  kTraceUuid = 89,
  kResidency = 91,
  kRemoteClockSync = 107,
  kWakeLocks = 115,
  kZstdPackets = 133,
  kStackSample = 135,
};

}  // namespace weft::formats::perfetto
