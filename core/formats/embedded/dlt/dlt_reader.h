// The reader of AUTOSAR Diagnostic Log and Trace files (.dlt), versions 1 and 2: logs, traces of
// functions, messages on networks and control messages, on a lane for each context of each
// application of each control unit.
//
// The time is the one in the storage header, in microseconds (version 2: nanoseconds): that at
// which the message was received, on one clock for all units. The sender's own (units of 0.1 ms
// since its start; version 2: since 1970) is a parameter. Messages that were captured without being
// stored (dlt_stream.h) have only the sender's. Memory: the names, and functions that are
// open.
//
// Source: "Specification of Diagnostic Log and Trace", AUTOSAR; the DLT daemon's manual.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_dlt(std::span<const std::byte> head);
Status read_dlt(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
