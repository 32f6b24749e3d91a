#include "core/formats/hpc/otf2/otf2_library.h"

#include <cmath>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/hpc/otf2/otf2_fields.h"

namespace weft::formats::otf2 {
namespace {

// The numbers of both are one.
static_assert(static_cast<int>(LocationType::kCpuThread) == OTF2_LOCATION_TYPE_CPU_THREAD &&
              static_cast<int>(LocationType::kMetric) == OTF2_LOCATION_TYPE_METRIC);
static_assert(static_cast<int>(GroupType::kCommLocations) == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
              static_cast<int>(GroupType::kCommGroup) == OTF2_GROUP_TYPE_COMM_GROUP &&
              static_cast<int>(GroupType::kCommSelf) == OTF2_GROUP_TYPE_COMM_SELF);
static_assert(static_cast<int>(CollectiveOp::kBroadcast) == OTF2_COLLECTIVE_OP_BCAST &&
              static_cast<int>(CollectiveOp::kScatterv) == OTF2_COLLECTIVE_OP_SCATTERV &&
              static_cast<int>(CollectiveOp::kGatherv) == OTF2_COLLECTIVE_OP_GATHERV &&
              static_cast<int>(CollectiveOp::kReduce) == OTF2_COLLECTIVE_OP_REDUCE);
static_assert(kNoRef == OTF2_UNDEFINED_UINT32 && kNoLocation == OTF2_UNDEFINED_LOCATION);

constexpr OTF2_CallbackCode kGoOn = OTF2_CALLBACK_SUCCESS;

Definitions& of(void* data) { return *static_cast<Definitions*>(data); }

// 0: not known.
void append_line(ArgsText& args, std::string_view name, uint32_t line) {
  if (line != 0 && line != OTF2_UNDEFINED_UINT32) args.add(name, line);
}

struct DeleteCallbacks {
  void operator()(OTF2_GlobalDefReaderCallbacks* callbacks) const {
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  }
};

void set_places(OTF2_GlobalDefReaderCallbacks* callbacks) {
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
      callbacks, [](void* data, uint64_t resolution, uint64_t offset, uint64_t, uint64_t) {
        if (resolution > 0) of(data).ticks_per_second = resolution;
        of(data).begin = offset;
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(
      callbacks, [](void* data, OTF2_StringRef self, const char* text) {
        of(data).strings[self] = valid_utf8(text);
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(
      callbacks, [](void* data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                    OTF2_StringRef kind, OTF2_SystemTreeNodeRef parent) {
        of(data).nodes[self] = {name, kind, parent};
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(
      callbacks, [](void* data, OTF2_LocationGroupRef self, OTF2_StringRef name,
                    OTF2_LocationGroupType, OTF2_SystemTreeNodeRef parent, OTF2_LocationGroupRef) {
        of(data).location_groups[self] = {name, parent};
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
      callbacks, [](void* data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                    uint64_t events, OTF2_LocationGroupRef group) {
        of(data).locations[self] = {name, group, static_cast<LocationType>(type), events};
        return kGoOn;
      });
}

void set_names(OTF2_GlobalDefReaderCallbacks* callbacks) {
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(
      callbacks, [](void* data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
                    OTF2_StringRef description, OTF2_RegionRole, OTF2_Paradigm paradigm,
                    OTF2_RegionFlag, OTF2_StringRef file, uint32_t line, uint32_t last_line) {
        const Definitions& known = of(data);
        ArgsText params;
        if (known.string(canonical) != known.string(name))
          append_text(params, "canonical name", known.string(canonical));
        append_text(params, "description", known.string(description));
        append_text(params, "file", known.string(file));
        append_line(params, "line", line);
        append_line(params, "last line", last_line);
        of(data).regions[self] = {name, paradigm, params.take()};
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(
      callbacks, [](void* data, OTF2_CallingContextRef self, OTF2_RegionRef region,
                    OTF2_SourceCodeLocationRef, OTF2_CallingContextRef parent) {
        of(data).calling_contexts[self] = {region, parent};
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(
      callbacks, [](void* data, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef,
                    OTF2_MetricType, OTF2_MetricMode, OTF2_Type, OTF2_Base base, int64_t exponent,
                    OTF2_StringRef unit) {
        const double of_one = base == OTF2_BASE_BINARY ? 2 : 10;
        of(data).metric_members[self] = {name, unit, std::pow(of_one, exponent)};
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(
      callbacks, [](void* data, OTF2_MetricRef self, uint8_t count,
                    const OTF2_MetricMemberRef* members, OTF2_MetricOccurrence, OTF2_RecorderKind) {
        of(data).metrics[self].assign(members, members + count);
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(
      callbacks, [](void* data, OTF2_MetricRef self, OTF2_MetricRef its_class, OTF2_LocationRef,
                    OTF2_MetricScope, uint64_t) {
        const auto it = of(data).metrics.find(its_class);
        if (it != of(data).metrics.end()) of(data).metrics[self] = it->second;
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(
      callbacks,
      [](void* data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
         OTF2_Paradigm paradigm, OTF2_GroupFlag, uint32_t count, const uint64_t* members) {
        if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
          of(data).communicating[paradigm].assign(members, members + count);
        of(data).groups[self] = {
            static_cast<GroupType>(type), paradigm, {members, members + count}};
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(
      callbacks, [](void* data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                    OTF2_CommRef, OTF2_CommFlag) {
        of(data).communicators[self] = {name, group};
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(
      callbacks, [](void* data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                    OTF2_GroupRef other, OTF2_CommRef, OTF2_CommFlag) {
        of(data).communicators[self] = {name, group, other};
        return kGoOn;
      });
}

// Sets callbacks for definitions that instants and parameters refer to.
void set_more_names(OTF2_GlobalDefReaderCallbacks* callbacks) {
  OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(
      callbacks,
      [](void* data, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag) {
        of(data).windows[self] = {name, comm};
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(
      callbacks, [](void* data, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file,
                    OTF2_IoParadigmRef, OTF2_IoHandleFlag, OTF2_CommRef, OTF2_IoHandleRef) {
        of(data).file_handles[self] = {name, file};
        return kGoOn;
      });
  const auto set_file = [](void* data, OTF2_IoFileRef self, OTF2_StringRef name,
                           OTF2_SystemTreeNodeRef) {
    of(data).files[self] = name;
    return kGoOn;
  };
  OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(callbacks, set_file);
  OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(callbacks, set_file);
  OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(
      callbacks,
      [](void* data, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_Type) {
        of(data).attributes[self] = name;
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetParameterCallback(
      callbacks, [](void* data, OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType) {
        of(data).parameters[self] = name;
        return kGoOn;
      });
  OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(
      callbacks, [](void* data, OTF2_InterruptGeneratorRef self, OTF2_StringRef name,
                    OTF2_InterruptGeneratorMode, OTF2_Base, int64_t, uint64_t) {
        of(data).interrupt_generators[self] = name;
        return kGoOn;
      });
}

}  // namespace

bool read_definitions(OTF2_Reader* reader, Definitions& definitions) {
  OTF2_GlobalDefReader* const definition_reader = OTF2_Reader_GetGlobalDefReader(reader);
  if (definition_reader == nullptr) return false;
  const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, DeleteCallbacks> callbacks(
      OTF2_GlobalDefReaderCallbacks_New());
  set_places(callbacks.get());
  set_names(callbacks.get());
  set_more_names(callbacks.get());
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definition_reader, callbacks.get(), &definitions);
  uint64_t count = 0;
  const OTF2_ErrorCode status =
      OTF2_Reader_ReadAllGlobalDefinitions(reader, definition_reader, &count);
  OTF2_Reader_CloseGlobalDefReader(reader, definition_reader);
  return status == OTF2_SUCCESS;
}

}  // namespace weft::formats::otf2
