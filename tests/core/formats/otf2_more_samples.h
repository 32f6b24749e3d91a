// An OTF2 archive with the kinds of events that are not calls and messages; what reading it gives
// lies in otf2/succeed/more.txt.
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <filesystem>

#include "tests/core/formats/otf2_samples.h"

namespace weft::test {

inline void write_otf2_more_definitions(OTF2_GlobalDefWriter* writer) {
  write_otf2_definitions(writer);
  const std::array strings = {"memory", "out.dat", "step", "size",  "timer",
                              "energy", "J",       "left", "here.c"};
  constexpr OTF2_StringRef kFrom = 20;
  for (uint32_t i = 0; i < strings.size(); ++i)
    OTF2_GlobalDefWriter_WriteString(writer, kFrom + i, strings[i]);
  OTF2_GlobalDefWriter_WriteRegion(writer, 2, 11, 11, kFrom + 7, OTF2_REGION_ROLE_FUNCTION,
                                   OTF2_PARADIGM_COMPILER, OTF2_REGION_FLAG_NONE, kFrom + 8, 10,
                                   20);
  OTF2_GlobalDefWriter_WriteRmaWin(writer, 0, kFrom, 0, OTF2_RMA_WIN_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteIoParadigm(writer, 0, 0, 0, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                       OTF2_IO_PARADIGM_FLAG_NONE, 0, nullptr, nullptr, nullptr);
  OTF2_GlobalDefWriter_WriteIoRegularFile(writer, 0, kFrom + 1, 0);
  OTF2_GlobalDefWriter_WriteIoHandle(writer, 0, 0, 0, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                     OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
  OTF2_GlobalDefWriter_WriteAttribute(writer, 0, kFrom + 2, 0, OTF2_TYPE_UINT32);
  OTF2_GlobalDefWriter_WriteParameter(writer, 0, kFrom + 3, OTF2_PARAMETER_TYPE_INT64);
  OTF2_GlobalDefWriter_WriteInterruptGenerator(
      writer, 0, kFrom + 4, OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -9, 1000);
  OTF2_GlobalDefWriter_WriteCallingContext(writer, 0, 0, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                                           OTF2_UNDEFINED_CALLING_CONTEXT);
  OTF2_GlobalDefWriter_WriteCallingContext(writer, 1, 2, OTF2_UNDEFINED_SOURCE_CODE_LOCATION, 0);
  OTF2_GlobalDefWriter_WriteMetricMember(writer, 1, kFrom + 5, 0, OTF2_METRIC_TYPE_OTHER,
                                         OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
                                         OTF2_BASE_DECIMAL, -3, kFrom + 6);
  constexpr OTF2_MetricMemberRef kEnergy = 1;
  OTF2_GlobalDefWriter_WriteMetricClass(writer, 1, 1, &kEnergy, OTF2_METRIC_ASYNCHRONOUS,
                                        OTF2_RECORDER_KIND_CPU);
  constexpr uint64_t kZero = 0, kOne = 1;
  OTF2_GlobalDefWriter_WriteGroup(writer, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 1, &kZero);
  OTF2_GlobalDefWriter_WriteGroup(writer, 3, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 1, &kOne);
  OTF2_GlobalDefWriter_WriteInterComm(writer, 1, kFrom + 7, 2, 3, 0, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(writer, 2, kFrom + 2, 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

inline void write_otf2_more_first(OTF2_EvtWriter* writer) {
  const OTF2_StringRef argument = 11;
  OTF2_EvtWriter_ProgramBegin(writer, nullptr, 1000, 5, 1, &argument);
  OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
  OTF2_AttributeList_AddUint32(attributes, 0, 77);
  OTF2_EvtWriter_Enter(writer, attributes, 1000, 2);
  OTF2_AttributeList_Delete(attributes);
  OTF2_EvtWriter_ThreadFork(writer, nullptr, 1001, OTF2_PARADIGM_OPENMP, 4);
  OTF2_EvtWriter_ThreadAcquireLock(writer, nullptr, 1002, OTF2_PARADIGM_PTHREAD, 3, 1);
  OTF2_EvtWriter_ThreadTaskCreate(writer, nullptr, 1003, 0, 0, 9);
  OTF2_EvtWriter_ThreadJoin(writer, nullptr, 1004, OTF2_PARADIGM_OPENMP);
  OTF2_EvtWriter_ParameterInt(writer, nullptr, 1005, 0, -5);
  OTF2_EvtWriter_CallingContextSample(writer, nullptr, 1006, 1, 2, 0);
  OTF2_EvtWriter_RmaWinCreate(writer, nullptr, 1007, 0);
  OTF2_EvtWriter_RmaPut(writer, nullptr, 1010, 0, 1, 64, 1);
  OTF2_EvtWriter_RmaGet(writer, nullptr, 1011, 0, 1, 32, 2);
  OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, 1015, 0, 1);
  OTF2_EvtWriter_RmaOpCompleteNonBlocking(writer, nullptr, 1016, 0, 2);
  OTF2_EvtWriter_RmaPut(writer, nullptr, 1017, 0, 1, 8, 3);
  OTF2_EvtWriter_RmaRequestLock(writer, nullptr, 1018, 0, 1, 0, OTF2_LOCK_SHARED);
  OTF2_EvtWriter_IoCreateHandle(writer, nullptr, 1020, 0, OTF2_IO_ACCESS_MODE_WRITE_ONLY,
                                OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
  OTF2_EvtWriter_IoOperationBegin(writer, nullptr, 1021, 0, OTF2_IO_OPERATION_MODE_WRITE,
                                  OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 100, 1);
  OTF2_EvtWriter_IoOperationBegin(writer, nullptr, 1022, 0, OTF2_IO_OPERATION_MODE_WRITE,
                                  OTF2_IO_OPERATION_FLAG_NONE, 10, 2);
  OTF2_EvtWriter_IoOperationComplete(writer, nullptr, 1024, 0, 10, 2);
  OTF2_EvtWriter_IoOperationCancelled(writer, nullptr, 1025, 0, 1);
  OTF2_EvtWriter_IoSeek(writer, nullptr, 1026, 0, -1, OTF2_IO_SEEK_FROM_END, 9);
  OTF2_EvtWriter_IoDestroyHandle(writer, nullptr, 1027, 0);
  const OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value;
  value.unsigned_int = 2500;
  OTF2_EvtWriter_Metric(writer, nullptr, 1030, 1, 1, &type, &value);
  OTF2_EvtWriter_MpiSend(writer, nullptr, 1031, 0, 1, 5, 16);
  OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, nullptr, 1040, 12);
  OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, nullptr, 1050, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                               0, OTF2_COLLECTIVE_ROOT_NONE, 8, 8, 12);
  OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, 1051);
  OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, 1052, OTF2_COLLECTIVE_OP_GATHER, 2, 0, 4, 4);
  // Without attributes at its begin.
  OTF2_EvtWriter_Enter(writer, nullptr, 1053, 2);
  OTF2_AttributeList* const at_end = OTF2_AttributeList_New();
  OTF2_AttributeList_AddUint32(at_end, 0, 78);
  OTF2_EvtWriter_Leave(writer, at_end, 1054, 2);
  OTF2_AttributeList_AddUint32(at_end, 0, 79);
  OTF2_EvtWriter_Leave(writer, at_end, 1060, 2);
  OTF2_AttributeList_Delete(at_end);
  OTF2_EvtWriter_ProgramEnd(writer, nullptr, 1061, 3);
}

inline void write_otf2_more_second(OTF2_EvtWriter* writer) {
  OTF2_EvtWriter_ThreadBegin(writer, nullptr, 1002, 0, 1);
  OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, 1033, 6);
  OTF2_EvtWriter_MpiIrecv(writer, nullptr, 1035, 0, 1, 5, 16, 6);
  OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, nullptr, 1045, 13);
  OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, nullptr, 1050, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                               0, OTF2_COLLECTIVE_ROOT_NONE, 8, 8, 13);
  OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, 1055, 0, 7);
}

inline void write_otf2_markers(OTF2_MarkerWriter* writer) {
  OTF2_MarkerWriter_WriteDefMarker(writer, 0, "Tool", "Late sender", OTF2_SEVERITY_HIGH);
  OTF2_MarkerWriter_WriteDefMarker(writer, 1, "", "", OTF2_SEVERITY_NONE);
  OTF2_MarkerWriter_WriteMarker(writer, 1010, 20, 0, OTF2_MARKER_SCOPE_LOCATION, kOtf2First,
                                "waits");
  OTF2_MarkerWriter_WriteMarker(writer, 1012, 0, 0, OTF2_MARKER_SCOPE_LOCATION_GROUP, 0, "here");
  OTF2_MarkerWriter_WriteMarker(writer, 1014, 0, 1, OTF2_MARKER_SCOPE_GLOBAL, 0, "step 2");
}

inline void write_otf2_more(const std::filesystem::path& folder) {
  write_otf2_archive(folder, "more", {write_otf2_more_first, write_otf2_more_second},
                     write_otf2_more_definitions, write_otf2_markers);
}

}  // namespace weft::test
