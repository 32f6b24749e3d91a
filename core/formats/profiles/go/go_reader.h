// The reader of Go's execution traces, of Go 1.5 to 1.21 and of 1.22 and later: goroutines,
// processors, system calls, garbage collections, the heap, tasks, regions and logs of the program.
//
// Names, stacks and the clock's rate stand behind the events that need them, so the trace is read
// twice: first for these, from a file without a name, in which it is kept meanwhile. Times become
// nanoseconds. Memory: texts and stacks, in large arrays, and what waits to be in order.
//
// Source: internal/trace of the Go project, and its design document of the format of 1.22.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_go(std::span<const std::byte> head);
Status read_go(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
