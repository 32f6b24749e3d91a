// The reader of what the profilers of TensorFlow and JAX (XLA) save: XSpace, a protobuf message of
// planes (the host, a device), of lines (a thread, a stream) and of events, as "*.xplane.pb".
//
// Planes are processes and lines threads; events are states with all that is said of them. A link
// leads from what was produced to what consumed it, and from the host to the device where both have
// one number of correlation. Times are nanoseconds; those of less are rounded at both ends.
//
// Memory: the message, whose names stand behind its events; refused beyond the reader's memory.
//
// Source: xplane.proto of openxla/xla (third_party/tsl), and what it says of contexts.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_xplane(std::span<const std::byte> head);
Status read_xplane(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
