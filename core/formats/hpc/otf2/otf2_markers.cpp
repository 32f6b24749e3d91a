#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/hpc/otf2/otf2_callbacks.h"

namespace weft::formats::otf2 {
namespace {

struct DeleteMarkerCallbacks {
  void operator()(OTF2_MarkerReaderCallbacks* callbacks) const {
    OTF2_MarkerReaderCallbacks_Delete(callbacks);
  }
};

// The state while reading markers.
struct Reading {
  struct Kind {
    std::string name, group;
    OTF2_MarkerSeverity severity = OTF2_SEVERITY_NONE;
  };
  Playing& playing;
  std::map<OTF2_MarkerRef, Kind> kinds;
};

Events::MarkerPlace place_of(OTF2_MarkerScope scope) {
  using Place = Events::MarkerPlace;
  return scope == OTF2_MARKER_SCOPE_LOCATION           ? Place::kLocation
         : scope == OTF2_MARKER_SCOPE_LOCATION_GROUP   ? Place::kLocationGroup
         : scope == OTF2_MARKER_SCOPE_SYSTEM_TREE_NODE ? Place::kNode
                                                       : Place::kTrace;
}

OTF2_CallbackCode define_marker(void* data, OTF2_MarkerRef self, const char* group,
                                const char* category, OTF2_MarkerSeverity severity) {
  static_cast<Reading*>(data)->kinds[self] = {valid_utf8(category), valid_utf8(group), severity};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode add_marker(void* data, OTF2_TimeStamp ticks, OTF2_TimeStamp duration,
                             OTF2_MarkerRef marker, OTF2_MarkerScope scope, uint64_t place,
                             const char* text) {
  constexpr std::string_view kSeverities[] = {"", "low", "medium", "high"};
  Reading& reading = *static_cast<Reading*>(data);
  const Reading::Kind& kind = reading.kinds[marker];
  ArgsText fields;
  append_text(fields, "text", valid_utf8(text));
  if (kind.severity < std::size(kSeverities))
    append_text(fields, "severity", kSeverities[kind.severity]);
  const Definitions& definitions = reading.playing.definitions;
  reading.playing.events.add_marker(
      {definitions.time_of(ticks), definitions.time_of(ticks + duration)}, place_of(scope), place,
      {kind.name.empty() ? "marker" : kind.name, kind.group, fields.take()});
  return OTF2_CALLBACK_SUCCESS;
}

}  // namespace

void read_markers(OTF2_Reader* reader, Playing& playing) {
  OTF2_MarkerReader* const markers = OTF2_Reader_GetMarkerReader(reader);
  if (markers == nullptr) return;
  const std::unique_ptr<OTF2_MarkerReaderCallbacks, DeleteMarkerCallbacks> callbacks(
      OTF2_MarkerReaderCallbacks_New());
  OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks.get(), define_marker);
  OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks.get(), add_marker);
  Reading reading{playing, {}};
  OTF2_Reader_RegisterMarkerCallbacks(reader, markers, callbacks.get(), &reading);
  uint64_t count = 0;
  if (OTF2_Reader_ReadAllMarkers(reader, markers, &count) != OTF2_SUCCESS)
    playing.events.lose("markers that cannot be read");
  OTF2_Reader_CloseMarkerReader(reader, markers);
}

}  // namespace weft::formats::otf2
