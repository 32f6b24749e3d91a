// The reader of recordings of Java's Flight Recorder (JDK 9 and later, async-profiler's, …): chunks
// that follow each other and know nothing of each other, each of which describes its own events.
// What lasted is a state, what did not an instant, of the thread that did it or of what it is about
// (garbage collection, the operating system, …); samples of threads' stacks become states, measures
// variables. Times are nanoseconds since 1970.
//
// Source: jdk.jfr.internal.consumer of OpenJDK, which is how the format is defined.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_jfr(std::span<const std::byte> head);
Status read_jfr(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
