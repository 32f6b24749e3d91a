// The reader of Firefox profiles: as Gecko writes them, and processed, as the Firefox Profiler and
// samply keep them, of all versions up to tables that threads share. Samples become states of their
// frames, markers states and events on a lane below the thread's, counters and what was measured
// with each sample variables.
//
// Times are nanoseconds from the begin of the first process. Profiles of child processes are read,
// moved to the clock of the first by when they started. Read as a whole (json_document.h).
//
// Source: docs-developer/ of the Firefox Profiler (gecko-profile-format, processed-profile-format).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_firefox(std::span<const std::byte> head);
Status read_firefox(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
