// The reader of logs whose lines hold Trace Event JSON, one event each, behind whatever the log
// puts in front: a stray quote of Java's logging (trace-event-logger), a time stamp, a level. Lines
// without an event are counted.
//
//   "{"ts":"1795218857515190.982","ph":"B","tid":1,"pid":1,"name":"WARMUP"}
//
// The events wait in a file without a name, and are read as the Chrome trace that they are.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_logged_events(std::span<const std::byte> head);
Status read_logged_events(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
