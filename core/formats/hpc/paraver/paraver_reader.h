// The reader of Paraver traces (.prv): states, events and communications of applications, tasks and
// threads, a record a line. Names come from the files beside it, NAME.pcf and NAME.row, where they
// are there.
//
//   1:cpu:appl:task:thread:begin:end:state
//   2:cpu:appl:task:thread:time:type:value[:type:value…]
//   3:cpu:appl:task:thread:logical send:physical send:cpu:appl:task:thread:logical receive:
//     physical receive:size:tag
//   4:cpu:appl:task:thread:time:communicator:sent:received:operation[:root]
//
// Source: "Paraver: Parallel Program Visualization and Analysis tool, Tracefile Description",
// CEPBA 2001.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_paraver(std::span<const std::byte> head);
Status read_paraver(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
