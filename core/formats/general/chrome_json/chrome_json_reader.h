// The reader of Chrome's Trace Event JSON: objects and arrays of events, as written by browsers,
// compilers, profilers and many a script. See README.md for how it is read so fast.
//
// Times become nanoseconds. Processes and threads become lanes; counters and asynchronous events
// get lanes of their own under their process. Every member of an event is kept: in the model where
// that has a place for it, otherwise as a parameter.
//
// Options: "chunk_bytes", how the text is cut for parsing (tests use small ones).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

// The confidence for any JSON whose beginning contains no event: there may be some further on.
inline constexpr int kAnyJson = 20;

int sniff_chrome_json(std::span<const std::byte> head);
Status read_chrome_json(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
