#include "core/formats/hpc/otf2/otf2_callbacks.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace weft::formats::otf2 {
namespace {

using OtfCallbacks = OTF2_GlobalEvtReaderCallbacks;

double metric_of(OTF2_Type type, OTF2_MetricValue value) {
  if (type == OTF2_TYPE_DOUBLE) return value.floating_point;
  return type == OTF2_TYPE_INT64 ? static_cast<double>(value.signed_int)
                                 : static_cast<double>(value.unsigned_int);
}

void set_regions(OtfCallbacks* to) {
  on<OTF2_GlobalEvtReaderCallbacks_SetEnterCallback>(
      to, [](const Called& called, OTF2_RegionRef region) {
        called.events.enter(called.location, called.time, region, called.more());
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback>(
      to, [](const Called& called, OTF2_RegionRef region) {
        called.events.leave(called.location, called.time, region, called.more());
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetCallingContextEnterCallback>(
      to, [](const Called& called, OTF2_CallingContextRef context, uint32_t) {
        called.events.enter_context(called.location, called.time, context, called.more());
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetCallingContextLeaveCallback>(
      to, [](const Called& called, OTF2_CallingContextRef context) {
        called.events.leave_context(called.location, called.time, context, called.more());
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetCallingContextSampleCallback>(
      to, [](const Called& called, OTF2_CallingContextRef context, uint32_t,
             OTF2_InterruptGeneratorRef generator) {
        const Definitions& known = called.definitions;
        ArgsText fields;
        append_text(fields, "by", known.name(known.interrupt_generators, generator));
        called.events.add_sample(called.location, called.time, context,
                                 called.more(std::move(fields)));
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetBufferFlushCallback>(
      to, [](const Called& called, OTF2_TimeStamp stop) {
        called.events.add_state(called.location, called.time, called.definitions.time_of(stop),
                                "buffer flush");
      });
}

void set_messages(OtfCallbacks* to) {
  // Non-blocking ones give their request, too.
  const auto send = [](const Called& called, uint32_t rank, OTF2_CommRef comm, uint32_t tag,
                       uint64_t bytes, auto... request) {
    called.events.send(called.location, called.time,
                       {rank, comm, tag, bytes, {request...}, called.more()});
  };
  on<OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback>(to, send);
  on<OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback>(to, send);
  const auto receive = [](const Called& called, uint32_t rank, OTF2_CommRef comm, uint32_t tag,
                          uint64_t bytes, auto... request) {
    called.events.receive(called.location, called.time,
                          {rank, comm, tag, bytes, {request...}, called.more()});
  };
  on<OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback>(to, receive);
  on<OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback>(to, receive);
}

// An operation that nobody else takes part in is an instant.
void end_collective(const Called& called, const Events::CollectivePart& part) {
  if (called.events.end_collective(called.location, called.time, part)) return;
  ArgsText fields;
  append_text(fields, "communicator", called.definitions.communicator_name(part.comm));
  if (part.sent > 0) fields.add("sent", part.sent);
  if (part.received > 0) fields.add("received", part.received);
  called.events.add_punctual(called.location, called.time, name_of(part.operation), "MPI",
                             called.more(std::move(fields)));
}

void set_collectives(OtfCallbacks* to) {
  const auto begin = [](const Called& called) {
    called.events.begin_collective(called.location, called.time);
  };
  on<OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveBeginCallback>(to, begin);
  on<OTF2_GlobalEvtReaderCallbacks_SetRmaCollectiveBeginCallback>(to, begin);
  on<OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback>(
      to, [](const Called& called, uint64_t request) {
        called.events.begin_collective(called.location, called.time, request);
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback>(
      to, [](const Called& called, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
             uint64_t sent, uint64_t received) {
        end_collective(called,
                       {static_cast<CollectiveOp>(operation), comm, root, sent, received, {}});
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback>(
      to, [](const Called& called, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
             uint64_t sent, uint64_t received, uint64_t request) {
        end_collective(called,
                       {static_cast<CollectiveOp>(operation), comm, root, sent, received, request});
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetRmaCollectiveEndCallback>(
      to, [](const Called& called, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel,
             OTF2_RmaWinRef window, uint32_t root, uint64_t sent, uint64_t received) {
        const auto& windows = called.definitions.windows;
        const auto it = windows.find(window);
        const Ref comm = it == windows.end() ? kNoRef : it->second.comm;
        end_collective(called,
                       {static_cast<CollectiveOp>(operation), comm, root, sent, received, {}});
      });
}

void begin_transfer(const Called& called, Events::Transfer transfer, uint64_t bytes) {
  ArgsText fields;
  fields.add("size", bytes);
  append_field(fields, called.definitions, "window", FieldKind::kWindow, transfer.window);
  transfer.more = called.more(std::move(fields));
  called.events.begin_transfer(called.location, called.time, std::move(transfer));
}

void set_transfers(OtfCallbacks* to) {
  on<OTF2_GlobalEvtReaderCallbacks_SetRmaPutCallback>(
      to, [](const Called& called, OTF2_RmaWinRef window, uint32_t rank, uint64_t bytes,
             uint64_t matching) {
        begin_transfer(called, {"put", true, window, rank, matching}, bytes);
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetRmaGetCallback>(
      to, [](const Called& called, OTF2_RmaWinRef window, uint32_t rank, uint64_t bytes,
             uint64_t matching) {
        begin_transfer(called, {"get", false, window, rank, matching}, bytes);
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetRmaAtomicCallback>(
      to, [](const Called& called, OTF2_RmaWinRef window, uint32_t rank, OTF2_RmaAtomicType,
             uint64_t sent, uint64_t received, uint64_t matching) {
        begin_transfer(called, {"atomic", true, window, rank, matching}, sent + received);
      });
  const auto end = [](const Called& called, OTF2_RmaWinRef window, uint64_t matching) {
    called.events.end_transfer(called.location, called.time, window, matching);
  };
  on<OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteBlockingCallback>(to, end);
  on<OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback>(to, end);
}

void end_operation(const Called& called, OTF2_IoHandleRef handle, uint64_t matching,
                   ArgsText fields) {
  const std::string more = called.more(std::move(fields));
  if (!called.events.end_operation(called.location, called.time, handle, matching, more))
    called.events.lose("completion of nothing that began");
}

void set_files(OtfCallbacks* to) {
  on<OTF2_GlobalEvtReaderCallbacks_SetIoOperationBeginCallback>(
      to, [](const Called& called, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
             OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t matching) {
        constexpr std::string_view kModes[] = {"read", "write", "flush"};
        ArgsText fields;
        append_field(fields, called.definitions, "file", FieldKind::kFileHandle, handle);
        append_field(fields, called.definitions, "requested", FieldKind::kNumber, bytes);
        called.events.begin_operation(
            called.location, called.time, handle, matching,
            {.name = mode < std::size(kModes) ? kModes[mode] : "operation",
             .waits = (flags & OTF2_IO_OPERATION_FLAG_NON_BLOCKING) == 0,
             .more = called.more(std::move(fields))});
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetIoOperationCompleteCallback>(
      to, [](const Called& called, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t matching) {
        ArgsText fields;
        append_field(fields, called.definitions, "size", FieldKind::kNumber, bytes);
        end_operation(called, handle, matching, std::move(fields));
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetIoOperationCancelledCallback>(
      to, [](const Called& called, OTF2_IoHandleRef handle, uint64_t matching) {
        ArgsText fields;
        fields.name("cancelled");
        fields.flag(true);
        end_operation(called, handle, matching, std::move(fields));
      });
}

void add_parameter(const Called& called, OTF2_ParameterRef parameter, FieldKind kind,
                   uint64_t value) {
  ArgsText fields;
  append_field(fields, called.definitions, "value", kind, value);
  const std::string& name = called.definitions.name(called.definitions.parameters, parameter);
  called.events.add_punctual(called.location, called.time, name.empty() ? "parameter" : name,
                             "parameter", called.more(std::move(fields)));
}

void set_values(OtfCallbacks* to) {
  on<OTF2_GlobalEvtReaderCallbacks_SetMetricCallback>(
      to, [](const Called& called, OTF2_MetricRef metric, uint8_t count, const OTF2_Type* types,
             const OTF2_MetricValue* values) {
        for (size_t i = 0; i < count; ++i)
          called.events.add_metric(called.location, called.time, metric, i,
                                   metric_of(types[i], values[i]));
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetParameterIntCallback>(
      to, [](const Called& called, OTF2_ParameterRef parameter, int64_t value) {
        add_parameter(called, parameter, FieldKind::kSigned, static_cast<uint64_t>(value));
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetParameterUnsignedIntCallback>(
      to, [](const Called& called, OTF2_ParameterRef parameter, uint64_t value) {
        add_parameter(called, parameter, FieldKind::kNumber, value);
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetParameterStringCallback>(
      to, [](const Called& called, OTF2_ParameterRef parameter, OTF2_StringRef value) {
        add_parameter(called, parameter, FieldKind::kText, value);
      });
}

void set_programs(OtfCallbacks* to) {
  on<OTF2_GlobalEvtReaderCallbacks_SetProgramBeginCallback>(
      to, [](const Called& called, OTF2_StringRef program, uint32_t count,
             const OTF2_StringRef* arguments) {
        ArgsText fields;
        std::string line;
        append_text(fields, "program", called.definitions.string(program));
        for (uint32_t i = 0; i < count; ++i)
          line.append(i == 0 ? "" : " ").append(called.definitions.string(arguments[i]));
        append_text(fields, "arguments", line);
        called.events.add_punctual(called.location, called.time, "program begins", {},
                                   called.more(std::move(fields)));
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetMeasurementOnOffCallback>(
      to, [](const Called& called, OTF2_MeasurementMode mode) {
        called.events.add_punctual(
            called.location, called.time,
            mode == OTF2_MEASUREMENT_ON ? "measurement on" : "measurement off", {}, called.more());
      });
  on<OTF2_GlobalEvtReaderCallbacks_SetUnknownCallback>(
      to, [](const Called& called) { called.events.add_unknown(); });
}

}  // namespace

void set_callbacks(OTF2_GlobalEvtReaderCallbacks* callbacks) {
  set_regions(callbacks);
  set_messages(callbacks);
  set_collectives(callbacks);
  set_transfers(callbacks);
  set_files(callbacks);
  set_values(callbacks);
  set_programs(callbacks);
}

}  // namespace weft::formats::otf2
