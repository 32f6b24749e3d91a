// Reads traces of .NET's EventPipe (dotnet-trace, dotnet-counters, record-trace): versions 3
// (.netperf) to 6.
//
// Lanes are processes and threads; garbage collections and suspensions have lanes of their own, and
// so have counters. Samples and stacks name methods, which the runtime describes when the trace
// ends. What a sequence number says is missing is a counted loss.
#pragma once

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_nettrace(std::span<const std::byte> head);
Status read_nettrace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
