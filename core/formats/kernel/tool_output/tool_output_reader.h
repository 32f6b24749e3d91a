// The reader of what tools that trace a system print as text: blkparse, `perf trace`, sysdig,
// tcpdump, tshark, btmon, Wine; of CAN buses candump and the logs of Vector (ASC) and PEAK (TRC);
// and what Process Monitor exports as a table.
//
// Each form is a definition of custom/definition.h, as users write their own: those are read whose
// rules take most of the first lines.
//
// Sources: the manuals of the tools.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_tool_output(std::span<const std::byte> head);
Status read_tool_output(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
