// The reader of Nexus-lite traces: one line of 64 event names, then 8-byte big-endian records of a
// 32-bit time in microseconds, a 6-bit type and a 26-bit payload.
//
// Each record becomes a punctual event on one lane, with the parameter "value". A time smaller than
// the one before it means that the 32 bits rolled over.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_nexus_lite(std::span<const std::byte> head);
Status read_nexus_lite(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
