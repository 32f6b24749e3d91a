// The reader of ShiViz logs: events of hosts with vector clocks. What they look like is said by an
// expression in their first line, as ShiViz and GoVector have it, or by the option `expression`
// (shiviz/log_lines.h); else they have the layouts of ShiViz' own samples: the clock's line
// before or behind the event's, or both in one line.
//
//   front-end {"front-end":2, "client":1}
//   Received Get request
//
// Hosts are lanes, events punctual; what an event must have learnt from another host since the
// host's event before is a link from there. Times are in ticks, the least that agree with all
// clocks; where every event begins with a number, as TSViz' do, or its expression has a group
// `timestamp`, that is its time in nanoseconds.
// Memory: all events, because a log may be in any order; many lie in large arrays.
//
// Source: Beschastnikh et al., "Debugging distributed systems", CACM 2016; the wiki of ShiViz.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_shiviz(std::span<const std::byte> head);
Status read_shiviz(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
