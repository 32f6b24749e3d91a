// The reader of Perfetto traces as protobuf: what the Perfetto SDK, Chrome, Android and traced
// write. Track events become states, punctual events, variables and links on the lanes of their
// tracks; the kernel's events what they become in ftrace's text; statistics of the system and its
// processes become variables. Packets that no part understands are counted by kind.
//
// Source: protos/perfetto/trace of google/perfetto.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_perfetto(std::span<const std::byte> head);
Status read_perfetto(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
