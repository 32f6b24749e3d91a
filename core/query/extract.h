// A part of a trace as a stream of events, for a trace of its own.
//
// Lanes that have a row in the part come along with the lanes above them, types and parameters as
// they are met. States that reach over a border of the range are cut there, so that the part adds
// up to what its range adds up to in the whole; how many were cut is noted in the sink. Losses and
// metadata come along as they are.
#pragma once

#include <memory>

#include "core/query/selection.h"
#include "core/store/trace.h"
#include "core/trace/event_sink.h"

namespace weft::query {

// How many events it gave. Stops early where the sink wants no more. One pass over the selected
// events in order of time.
uint64_t extract(std::shared_ptr<const store::Trace> trace, const Selection& selection,
                 trace::EventSink& sink);

}  // namespace weft::query
