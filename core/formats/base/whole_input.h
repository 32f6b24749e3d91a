// Input that can be understood only as a whole, since what its begin refers to stands at its end.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// Appends what is left of the source until there are more than `most` bytes. At an error what was
// read before it is there.
Status read_up_to(io::Source& source, uint64_t most, std::string& bytes);

// All that the source has, or that could be read before it ends early, which is a loss. An error
// where it is longer than the memory.
Result<std::string> read_whole(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes);

}  // namespace weft::formats
