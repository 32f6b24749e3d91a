// The reader of trace.dat, as trace-cmd records it from the kernel's tracing (versions 6 and 7):
// all CPUs and all buffers, merged by time, by libtracecmd. What the records mean is said by
// trace_dat/records.h, to the same Kernel as ftrace's text.
//
// The library needs a file that it can seek in: a compressed or piped input is unpacked into a
// temporary one first.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_trace_dat(std::span<const std::byte> head);
Status read_trace_dat(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
