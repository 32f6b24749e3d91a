// The reader of perf's own recordings (perf.data), as files and as pipes write them: samples with
// their stacks, the scheduler's tracepoints, names of threads, what was lost.
//
// What addresses are called is not in a recording: frames are shown by their object, "[libc.so.6]";
// `perf script` knows the names, and is read as well. Names of events stand behind the samples and
// are read first, where the trace is a file. Times are nanoseconds. Memory: what waits to be in
// order, and the mappings.
//
// Source: tools/perf/Documentation/perf.data-file-format.txt and uapi/linux/perf_event.h of Linux.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_perf_data(std::span<const std::byte> head);
Status read_perf_data(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
