// Snapshots of Percepio's Trace Recorder: what its versions up to 4.5 keep in memory, as a debugger
// saves it, alone or within a dump of the memory. Of FreeRTOS.
//
//   12 bytes of start, version and order of bytes, counts, clock
//   object table     of each class how many, and names and properties of what there is now
//   symbol table     texts: names of what was deleted, formats
//   records          a ring of four bytes each (snapshot_records.h)
//
// They become the events of a stream (psf_reader.h) that says the same, so that one Player knows
// what they mean. What there was before is not said again where handles are used anew: names are
// those of the next deletion, priorities the ones that a later change puts away.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::psf {

// Returns the position of a snapshot; npos: none.
size_t find_snapshot(std::string_view bytes);
Status read_snapshot(io::Source& source, trace::EventSink& sink);

}  // namespace weft::formats::psf
