// Input that can be understood only as a whole, since what its begin refers to stands at its end.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// All that the source has, or that could be read before it ends early, which is a loss. An error
// where it is longer than the memory.
Result<std::string> read_whole(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes);

}  // namespace weft::formats
