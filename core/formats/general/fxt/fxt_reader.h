// The reader of the Fuchsia trace format (.fxt): Fuchsia itself, magic-trace, and libraries for
// C++, Rust, OCaml and others. Durations, asynchronous operations, counters, flows, logs,
// scheduling.
//
// Times become nanoseconds by the ticks per second that each provider says of itself. Memory:
// tables of strings and names, what is open, and what waits to be in order.
//
// Source: "Fuchsia trace format", fuchsia.dev.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_fxt(std::span<const std::byte> head);
Status read_fxt(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
