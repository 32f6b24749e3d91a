// The reader of Kanata logs (version 4), with which simulators of processors show their pipelines:
// Onikiri, gem5's O3PipeView converted, RSD and others.
//
// An instruction lies on a row of its thread, which it has for itself from its fetch to its end;
// rows are used again. There it is a state ("retired", "flushed"), and in it the stages of its main
// lane; those of further lanes (stalls) lie below. Who wakes whom is a link. Times are cycles.
//
// Memory: the instructions that are in flight.
//
// Source: Konata's description of the format (docs/kanata-log-format.md).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_kanata(std::span<const std::byte> head);
Status read_kanata(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
