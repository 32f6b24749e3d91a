// The callbacks that the library calls for each event of an OTF2 trace, complete so that no event
// is missed. Their user data is a Playing.
#pragma once

#include <otf2/otf2.h>

#include <map>
#include <optional>
#include <string>

#include "core/formats/hpc/otf2/otf2_definitions.h"
#include "core/formats/hpc/otf2/otf2_events.h"
#include "core/formats/hpc/otf2/otf2_fields.h"

namespace weft::formats::otf2 {

// The target of the callbacks, and the clock of the events.
struct Playing {
  // An event's place.
  struct Place {
    LocationRef location;
    Time time;
  };
  const Definitions& definitions;
  Events events;
  // A location whose file is cut: behind its last event the library goes on with what its memory
  // held before, until a time gives that away.
  struct Cut {
    uint64_t left;  // events that are still to come, as the definitions say
    Time last = Time::min();
  };
  std::optional<Place> last = {};  // of the event that was given last
  std::map<LocationRef, Cut> cut = {};

  // Whether an event was written as it is given.
  bool was_written(const Place& at) {
    const auto it = cut.find(at.location);
    if (it == cut.end()) return true;
    Cut& end = it->second;
    if (end.left == 0 || at.time < end.last) {
      end.last = Time::max();
      return false;
    }
    --end.left;
    end.last = at.time;
    return true;
  }
};

// Regions, messages, collective operations, transfers, files, metrics: what lasts or links …
void set_callbacks(OTF2_GlobalEvtReaderCallbacks* callbacks);
// … and what is an instant.
void set_instants(OTF2_GlobalEvtReaderCallbacks* callbacks);

// Reads the markers that tools and people added beside the events; none if the archive has no
// markers.
void read_markers(OTF2_Reader* reader, Playing& playing);

// An event as the library gives it: where, when, and what its writer added.
struct Called {
  LocationRef location;
  Time time;
  const Definitions& definitions;
  Events& events;
  const OTF2_AttributeList* attributes;

  // The fields, and the attributes behind them.
  std::string more(ArgsText fields = {}) const {
    append_attributes(fields, definitions, attributes);
    return fields.take();
  }
};

// The callback of the library that calls a Do, a function object without state, with a Called and
// the fields of the event.
template <class Do, class Set>
struct Callback;
template <class Do, class... Fields>
struct Callback<Do,
                OTF2_ErrorCode (*)(OTF2_GlobalEvtReaderCallbacks*,
                                   OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, void*,
                                                         OTF2_AttributeList*, Fields...))> {
  static OTF2_CallbackCode call(OTF2_LocationRef location, OTF2_TimeStamp ticks, void* data,
                                OTF2_AttributeList* attributes, Fields... fields) {
    Playing& playing = *static_cast<Playing*>(data);
    const Time time = playing.definitions.time_of(ticks);
    const Called called{location, time, playing.definitions, playing.events, attributes};
    playing.last = {location, time};
    if (playing.was_written(*playing.last)) Do{}(called, fields...);
    return OTF2_CALLBACK_SUCCESS;
  }
};

template <auto kSet, class Do>
void on(OTF2_GlobalEvtReaderCallbacks* callbacks, Do) {
  kSet(callbacks, Callback<Do, decltype(kSet)>::call);
}

}  // namespace weft::formats::otf2
