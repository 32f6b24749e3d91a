// Extracts a part of a trace as a stream of events, to make a trace of its own.
//
// Lanes with a row in the part are kept with their ancestors (lanes without events only if the part
// is the whole trace); types and parameters as they occur. States that cross a border of the range
// are cut there, so that sums over the part equal sums over that range of the whole; the sink is
// told how many were cut. Links keep both ends, however far outside they lie, so the range itself
// is recorded in the metadata. Losses and other metadata are copied; what cannot be read of a
// damaged file is a loss, too.
#pragma once

#include <optional>

#include "core/query/selection.h"
#include "core/store/trace.h"
#include "core/trace/event_sink.h"

namespace weft::query {

// Returns the number of events given to `sink`. Stops early if the sink wants no more. One pass
// over the selected events in order of time.
uint64_t extract(store::TracePtr trace, const Selection& selection, trace::EventSink& sink);

// Returns the range of which the trace is a part, clipped to what it contains; nullopt if the trace
// is not part or lies within that range entirely.
std::optional<TimeRange> range_of_part(const store::Trace& trace);

}  // namespace weft::query
