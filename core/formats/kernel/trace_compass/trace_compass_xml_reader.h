// Traces as Trace Compass's developers write them by hand, in XML:
//
//   <!-- what the trace is for -->
//   <trace>
//     <event timestamp="1" name="entry">
//       <field name="op" type="string" value="op1" />
//       <field name="tid" type="int" value="2" />
//     </event>
//   </trace>
//
// Times are nanoseconds. "entry" and "exit" of an operation are nested states; events of the kernel
// mean what LTTng's do (ctf/kernel_events.h); all others are punctual events. They lie on their
// thread, process or CPU, if a field says one.
//
// Source: Trace Compass, TmfXmlTraceStub.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_trace_compass_xml(std::span<const std::byte> head);
Status read_trace_compass_xml(io::Source& source, trace::EventSink& sink,
                              const ReadContext& context);

}  // namespace weft::formats
