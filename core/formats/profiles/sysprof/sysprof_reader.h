// The reader of captures of GNOME's sysprof (.syscap): sampled stacks as states of their threads,
// marks as states of their groups, counters as variables, logs, allocations and messages of D-Bus
// as punctual events, traced functions as states.
//
// Times are nanoseconds of the machine's monotonic clock. Names of functions are those that the
// capture brings: of code that was made at run time, the table that sysprof appends, and the
// kernel's. A capture is read twice, since names stand behind the samples; what comes by standard
// input is copied to a file. Memory: names, and the frames that wait to be put in order.
//
// Source: sysprof-capture-types.h of libsysprof-capture.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_sysprof(std::span<const std::byte> head);
Status read_sysprof(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
