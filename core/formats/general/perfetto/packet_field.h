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
  kPrograms = 47,  // packages_list
  kGpuCounters = 52,
  kGpuStage = 53,
  kStreamingProfile = 54,
  kHeapGraph = 56,
  kClock = 58,
  kTrackDescriptor = 60,
  kModuleSymbols = 61,
  kVulkanMemory = 62,
  kDeobfuscation = 64,
  kVulkanApi = 65,
  kPerfSample = 66,
  kCpuInfo = 67,
  kMemoryMap = 68,
  kServiceEvent = 69,
  kGpuMemory = 71,
  kExtensions = 72,  // extension_descriptor
  kMemoryDump = 73,  // memory_tracker_snapshot
  kFrameTimeline = 76,
  kEnergy = 77,
  kTranslations = 82,  // translation_table
  kGames = 83,         // android_game_intervention_list
  kAtoms = 84,         // statsd_atom
  kTraceUuid = 89,
  kResidency = 91,
  kNetworkBundle = 92,
  kEtwEvents = 95,
  kShellTransition = 96,
  kProtoLogMessage = 104,
  kProtoLogConfig = 105,
  kRemoteClockSync = 107,
  kWakeLocks = 115,
  kAppWakeLocks = 116,
  kGenericTaskState = 117,
  kGenericCpuFrequency = 118,
  kCpuPerUser = 119,
  kGenericTaskRename = 120,
  kGenericProcessTree = 122,
  kGpuInfo = 128,
  kGenericGpuFrequency = 129,
  kZstdPackets = 133,
  kStackSample = 135,
};

}  // namespace weft::formats::perfetto
