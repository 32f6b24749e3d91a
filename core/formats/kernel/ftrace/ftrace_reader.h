// The reader of ftrace as text: the kernel's trace files, `trace-cmd report`, atrace and systrace
// (also the trace in a systrace HTML page). What the scheduler did becomes states of tasks and
// CPUs, wake-ups become links, interrupts, system calls, function graphs and trace marks become
// states, everything else punctual events with its fields as parameters.
//
//          bash-3907  ( 3900) [000] d..2.  3867.457099: sched_switch: prev_comm=bash prev_pid=3907
//          … task-pid    tgid    cpu  flags  time         event         fields
//
// Source: Documentation/trace/ftrace.rst and events.rst of Linux.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_ftrace(std::span<const std::byte> head);
Status read_ftrace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
