// Reads captures of Orbit, version 1 of the format (Orbit 1.66 and later).
//
// Processors with the threads that they ran, threads with calls of instrumented functions, scopes,
// states and sampled stacks, jobs of GPUs, memory, tracks. Times are those of the system's
// monotonic clock. Records that were lost are a loss with the time that it took.
#pragma once

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_orbit(std::span<const std::byte> head);
Status read_orbit(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
