// A part of a trace as a stream of events, for a trace of its own.
//
// Lanes that have a row in the part come along with the lanes above them, those without events
// where it is the whole; types and parameters as they are met. States that reach over a border of
// the range are cut there, so that the part adds up to what its range adds up to in the whole; how
// many were cut is noted in the sink. Links keep both ends, however far they reach: what arrives
// later did arrive. So the part says in its metadata which range it is of. Losses and other
// metadata come along as they are.
#pragma once

#include <memory>
#include <optional>

#include "core/query/selection.h"
#include "core/store/trace.h"
#include "core/trace/event_sink.h"

namespace weft::query {

// How many events it gave. Stops early where the sink wants no more. One pass over the selected
// events in order of time.
uint64_t extract(std::shared_ptr<const store::Trace> trace, const Selection& selection,
                 trace::EventSink& sink);

// The range that the trace is a part of another one by, as far as it holds something; nothing: it
// is none, or all of it lies there.
std::optional<TimeRange> range_of_part(const store::Trace& trace);

}  // namespace weft::query
