// The reader of event logs of the Glasgow Haskell Compiler's runtime (.eventlog): what its threads
// and capabilities did, garbage collections, sparks, the heap, messages and marks of the program.
//
// Times are nanoseconds. The buffers of capabilities stand one after the other and are put in
// order, as far as memory goes. Memory: that, and the names.
//
// Source: rts/EventLogFormat.h of GHC, and the user's guide's chapter on event logs.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_ghc(std::span<const std::byte> head);
Status read_ghc(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
