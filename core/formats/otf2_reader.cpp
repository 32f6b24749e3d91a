#include "core/formats/otf2_reader.h"

#include <fmt/core.h>
#include <otf2/otf2.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/otf2/otf2_events.h"
#include "core/formats/otf2/otf2_library.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOtf2Magic = "OTF2";
constexpr size_t kOtf2MagicAt = 2;
constexpr OTF2_CallbackCode kGoOn = OTF2_CALLBACK_SUCCESS;

struct Close {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
  void operator()(OTF2_GlobalEvtReaderCallbacks* callbacks) const {
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
  }
};

// The library says on standard error what is wrong, unless somebody else does.
OTF2_ErrorCode say_nothing(void*, const char*, uint64_t, const char*, OTF2_ErrorCode code,
                           const char*, va_list) {
  return code;
}

std::vector<std::string> anchors_of(const io::Source& folder) {
  std::vector<std::string> anchors;
  for (const io::FolderFile& file : folder.files()) {
    if (fs::path(file.name).extension() == ".otf2") anchors.push_back(file.name);
  }
  return anchors;
}

// What the library's events become, and the ticks of their times.
struct Playing {
  const otf2::Definitions& definitions;
  otf2::Events events;
};
otf2::Events& of(void* data) { return static_cast<Playing*>(data)->events; }
Time time_of(void* data, OTF2_TimeStamp ticks) {
  return static_cast<Playing*>(data)->definitions.time_of(ticks);
}

double number_of(OTF2_Type type, OTF2_MetricValue value) {
  if (type == OTF2_TYPE_DOUBLE) return value.floating_point;
  return type == OTF2_TYPE_INT64 ? static_cast<double>(value.signed_int)
                                 : static_cast<double>(value.unsigned_int);
}

void set_regions(OTF2_GlobalEvtReaderCallbacks* callbacks) {
  OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_RegionRef region) {
        of(data).enter(location, time_of(data, time), region);
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_RegionRef region) {
        of(data).leave(location, time_of(data, time), region);
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetCallingContextEnterCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_CallingContextRef context, uint32_t) {
        of(data).enter_context(location, time_of(data, time), context);
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetCallingContextLeaveCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_CallingContextRef context) {
        of(data).leave_context(location, time_of(data, time), context);
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetBufferFlushCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_TimeStamp stop) {
        of(data).add_state(location, time_of(data, time), time_of(data, stop), "buffer flush");
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetMetricCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_MetricRef metric, uint8_t count, const OTF2_Type* types,
                    const OTF2_MetricValue* values) {
        for (size_t i = 0; i < count; ++i)
          of(data).add_metric(location, time_of(data, time), metric, i,
                              number_of(types[i], values[i]));
        return kGoOn;
      });
}

void set_messages(OTF2_GlobalEvtReaderCallbacks* callbacks) {
  OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t bytes) {
        of(data).send(location, time_of(data, time), {rank, comm, tag, bytes});
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(
      callbacks,
      [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
         uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request) {
        of(data).send(location, time_of(data, time), {rank, comm, tag, bytes, request});
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t bytes) {
        of(data).receive(location, time_of(data, time), {rank, comm, tag, bytes});
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(
      callbacks,
      [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
         uint32_t rank, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request) {
        of(data).receive(location, time_of(data, time), {rank, comm, tag, bytes, request});
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveBeginCallback(
      callbacks,
      [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*) {
        of(data).begin_collective(location, time_of(data, time));
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(
      callbacks,
      [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
         OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t, uint64_t) {
        of(data).end_collective(location, time_of(data, time),
                                static_cast<otf2::CollectiveOp>(operation), comm, root);
        return kGoOn;
      });
}

void set_others(OTF2_GlobalEvtReaderCallbacks* callbacks) {
  OTF2_GlobalEvtReaderCallbacks_SetProgramBeginCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_StringRef, uint32_t, const OTF2_StringRef*) {
        of(data).add_punctual(location, time_of(data, time), "program begins");
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetProgramEndCallback(
      callbacks,
      [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*, int64_t) {
        of(data).add_punctual(location, time_of(data, time), "program ends");
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetThreadBeginCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_CommRef, uint64_t) {
        of(data).add_punctual(location, time_of(data, time), "thread begins");
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetThreadEndCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_CommRef, uint64_t) {
        of(data).add_punctual(location, time_of(data, time), "thread ends");
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetMeasurementOnOffCallback(
      callbacks, [](OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList*,
                    OTF2_MeasurementMode mode) {
        of(data).add_punctual(location, time_of(data, time),
                              mode == OTF2_MEASUREMENT_ON ? "measurement on" : "measurement off");
        return kGoOn;
      });
  OTF2_GlobalEvtReaderCallbacks_SetUnknownCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp, void* data, OTF2_AttributeList*) {
        of(data).add_unknown();
        return kGoOn;
      });
}

// The events of every location wait for its own definitions: how its numbers are the archive's.
void open_locations(OTF2_Reader* reader, const otf2::Definitions& definitions) {
  for (const auto& [ref, location] : definitions.locations) OTF2_Reader_SelectLocation(reader, ref);
  const bool has_definitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
  OTF2_Reader_OpenEvtFiles(reader);
  for (const auto& [ref, location] : definitions.locations) {
    if (has_definitions) {
      if (OTF2_DefReader* const own = OTF2_Reader_GetDefReader(reader, ref); own != nullptr) {
        uint64_t count = 0;
        OTF2_Reader_ReadAllLocalDefinitions(reader, own, &count);
        OTF2_Reader_CloseDefReader(reader, own);
      }
    }
    OTF2_Reader_GetEvtReader(reader, ref);
  }
  if (has_definitions) OTF2_Reader_CloseDefFiles(reader);
}

Status read_events(OTF2_Reader* reader, Playing& playing, io::Source& source,
                   trace::EventSink& sink, uint64_t total) {
  OTF2_GlobalEvtReader* const event_reader = OTF2_Reader_GetGlobalEvtReader(reader);
  if (event_reader == nullptr) return fail("the events of the OTF2 trace cannot be read");
  const std::unique_ptr<OTF2_GlobalEvtReaderCallbacks, Close> callbacks(
      OTF2_GlobalEvtReaderCallbacks_New());
  set_regions(callbacks.get());
  set_messages(callbacks.get());
  set_others(callbacks.get());
  OTF2_Reader_RegisterGlobalEvtCallbacks(reader, event_reader, callbacks.get(), &playing);
  constexpr uint64_t kEventsAtOnce = 1 << 14;
  uint64_t done = 0;
  for (uint64_t count = kEventsAtOnce; count == kEventsAtOnce && sink.keep_going();) {
    const OTF2_ErrorCode status =
        OTF2_Reader_ReadGlobalEvents(reader, event_reader, kEventsAtOnce, &count);
    done += count;
    if (status != OTF2_SUCCESS) {
      sink.loss("the events end early: " + printable(OTF2_Error_GetDescription(status)), done);
      break;
    }
    const uint64_t bytes = source.disk_bytes_total();
    if (total > 0) sink.progress(std::min(bytes, bytes * done / total), bytes);
  }
  OTF2_Reader_CloseGlobalEvtReader(reader, event_reader);
  return {};
}

}  // namespace

int sniff_otf2(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  return text.size() > kOtf2MagicAt && text.substr(kOtf2MagicAt).starts_with(kOtf2Magic) ? 100 : 0;
}

int sniff_otf2_folder(const io::Source& folder) { return anchors_of(folder).empty() ? 0 : 90; }

Status read_otf2(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  const std::vector<std::string> anchors = anchors_of(source);
  if (anchors.empty()) return fail("holds no anchor of OTF2 (NAME.otf2)");
  if (anchors.size() > 1) {
    return fail(fmt::format("holds several OTF2 traces, the first of them {} and {}",
                            printable(anchors[0]), printable(anchors[1])));
  }
  OTF2_Error_RegisterCallback(say_nothing, nullptr);
  const std::string path = source.path() / anchors[0];
  const std::unique_ptr<OTF2_Reader, Close> reader(OTF2_Reader_Open(path.c_str()));
  if (reader == nullptr) return fail("is an OTF2 trace whose anchor cannot be read");
  OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
  otf2::Definitions definitions;
  if (!otf2::read_definitions(reader.get(), definitions))
    return fail("is an OTF2 trace whose definitions cannot be read");
  open_locations(reader.get(), definitions);
  sink.set_time_base(TimeBase::kNanoseconds);
  Playing playing{definitions, otf2::Events(definitions, sink)};
  playing.events.add_lanes();
  uint64_t total = 0;
  for (const auto& [ref, location] : definitions.locations) total += location.events;
  WEFT_TRY(read_events(reader.get(), playing, source, sink, total));
  playing.events.finish();
  return {};
}

}  // namespace weft::formats
