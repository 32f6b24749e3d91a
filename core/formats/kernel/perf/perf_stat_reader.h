// The reader of what `perf stat` prints: counts of events, interval by interval (-I), or of a
// program from its begin to its end, which is one interval; several programs follow each other.
//
//   #           time CPU                    counts unit events
//        0.100404738 CPU0                   100.52 msec cpu-clock       #    1.005 CPUs utilized
//        0.100404738 CPU0                      315      context-switches
//
// also with fields between signs (-x,) or as JSON (-j), of CPUs, cores, sockets, threads or control
// groups. Each event is a variable on the lane of what it was counted for; a value lasts for the
// interval in which it was counted. What perf made of two events (instructions per cycle) is a
// variable, too, but for rates: they are the counts in a unit that changes from line to line. With
// --metric-only there is nothing else. Fields and JSON do not say how long a program took: a second
// stands for it.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_perf_stat(std::span<const std::byte> head);
Status read_perf_stat(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
