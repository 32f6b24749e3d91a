// The reader of Spall traces (.spall): begins and ends of calls, of version 1, which names process
// and thread in every event, and version 3, whose events lie in buffers of one thread each.
//
// Times become nanoseconds: version 1 counts ticks of a part of a microsecond, version 3 and
// automatic instrumentation of a nanosecond. Begins and ends are paired by thread, in order. The
// names of what was instrumented automatically (versions 1 and 3) lie in the program: functions are
// called by their addresses in it. Memory: a window of the file, and what is open.
//
// Source: spall.h of the Spall project, and what its viewer does.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_spall(std::span<const std::byte> head);
Status read_spall(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
