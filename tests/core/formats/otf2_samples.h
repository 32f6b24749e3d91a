// The OTF2 archives that tests read, written by the library; what reading them gives lies in
// otf2/succeed/small.txt and, of the kinds of events that are not calls and messages, more.txt.
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <filesystem>

namespace weft::test {

inline constexpr uint64_t kOtf2TicksPerSecond = 500'000'000;  // a tick is 2 ns
inline constexpr OTF2_LocationRef kOtf2First = 0, kOtf2Second = 7;

inline OTF2_FlushType otf2_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

inline void write_otf2_definitions(OTF2_GlobalDefWriter* writer) {
  OTF2_GlobalDefWriter_WriteClockProperties(writer, kOtf2TicksPerSecond, 1000, 1000,
                                            OTF2_UNDEFINED_TIMESTAMP);
  const std::array strings = {"",         "node",   "box",    "rank 0", "rank 1", "main",
                              "MPI_Send", "cycles", "thread", "MPI",    "world",  "work"};
  for (uint32_t i = 0; i < strings.size(); ++i)
    OTF2_GlobalDefWriter_WriteString(writer, i, strings[i]);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 2, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 3, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                          OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocationGroup(writer, 1, 4, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                          OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocation(writer, kOtf2First, 8, OTF2_LOCATION_TYPE_CPU_THREAD, 10, 0);
  OTF2_GlobalDefWriter_WriteLocation(writer, kOtf2Second, 8, OTF2_LOCATION_TYPE_CPU_THREAD, 5, 1);
  const auto region = [&](OTF2_RegionRef self, OTF2_StringRef name, OTF2_Paradigm paradigm) {
    OTF2_GlobalDefWriter_WriteRegion(writer, self, name, name, 0, OTF2_REGION_ROLE_FUNCTION,
                                     paradigm, OTF2_REGION_FLAG_NONE, 0, 0, 0);
  };
  region(0, 5, OTF2_PARADIGM_USER);
  region(1, 6, OTF2_PARADIGM_MPI);
  OTF2_GlobalDefWriter_WriteMetricMember(writer, 0, 7, 0, OTF2_METRIC_TYPE_OTHER,
                                         OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
                                         OTF2_BASE_DECIMAL, 0, 0);
  constexpr OTF2_MetricMemberRef kMember = 0;
  OTF2_GlobalDefWriter_WriteMetricClass(writer, 0, 1, &kMember, OTF2_METRIC_ASYNCHRONOUS,
                                        OTF2_RECORDER_KIND_CPU);
  const std::array<uint64_t, 2> locations = {kOtf2First, kOtf2Second}, ranks = {0, 1};
  OTF2_GlobalDefWriter_WriteGroup(writer, 0, 9, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 2, locations.data());
  OTF2_GlobalDefWriter_WriteGroup(writer, 1, 10, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 2, ranks.data());
  OTF2_GlobalDefWriter_WriteComm(writer, 0, 10, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

inline void write_otf2_first(OTF2_EvtWriter* writer) {
  OTF2_EvtWriter_Enter(writer, nullptr, 1000, 0);
  const OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value;
  value.unsigned_int = 12345;
  OTF2_EvtWriter_Metric(writer, nullptr, 1005, 0, 1, &type, &value);
  OTF2_EvtWriter_Enter(writer, nullptr, 1010, 1);
  OTF2_EvtWriter_MpiSend(writer, nullptr, 1020, 1, 0, 42, 4096);
  OTF2_EvtWriter_MpiSend(writer, nullptr, 1025, 1, 0, 43, 1);
  OTF2_EvtWriter_Leave(writer, nullptr, 1030, 1);
  OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, 1050);
  OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, 1080, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                  OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
  OTF2_EvtWriter_BufferFlush(writer, nullptr, 1085, 1088);
  OTF2_EvtWriter_Leave(writer, nullptr, 1100, 0);
}

inline void write_otf2_second(OTF2_EvtWriter* writer) {
  OTF2_EvtWriter_Enter(writer, nullptr, 1002, 0);
  OTF2_EvtWriter_MpiIrecv(writer, nullptr, 1015, 0, 0, 42, 4096, 1);  // by a clock that is late
  OTF2_EvtWriter_MpiRecv(writer, nullptr, 1040, 0, 0, 99, 1);
  OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, 1070);
  OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, 1081, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                  OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

using WriteOtf2Events = void (*)(OTF2_EvtWriter*);

inline void write_otf2_archive(const std::filesystem::path& folder, const char* name,
                               std::array<WriteOtf2Events, 2> write_events,
                               void (*write_definitions)(OTF2_GlobalDefWriter*),
                               void (*write_markers)(OTF2_MarkerWriter*) = nullptr) {
  OTF2_Archive* const archive =
      OTF2_Archive_Open(folder.c_str(), name, OTF2_FILEMODE_WRITE, 1 << 20, 1 << 22,
                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  static const OTF2_FlushCallbacks callbacks = {otf2_flush, nullptr};
  OTF2_Archive_SetFlushCallbacks(archive, &callbacks, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  constexpr std::array kLocations = {kOtf2First, kOtf2Second};
  for (size_t i = 0; i < kLocations.size(); ++i) {
    OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(archive, kLocations[i]);
    write_events[i](writer);
    OTF2_Archive_CloseEvtWriter(archive, writer);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_GlobalDefWriter* const writer = OTF2_Archive_GetGlobalDefWriter(archive);
  write_definitions(writer);
  OTF2_Archive_CloseGlobalDefWriter(archive, writer);
  if (write_markers != nullptr) {
    OTF2_MarkerWriter* const markers = OTF2_Archive_GetMarkerWriter(archive);
    write_markers(markers);
    OTF2_Archive_CloseMarkerWriter(archive, markers);
  }
  OTF2_Archive_Close(archive);
}

inline void write_otf2(const std::filesystem::path& folder) {
  write_otf2_archive(folder, "small", {write_otf2_first, write_otf2_second},
                     write_otf2_definitions);
}

}  // namespace weft::test
