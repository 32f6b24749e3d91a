// The reader of stacks that programs print as text, a line for each frame: what DTrace, SystemTap,
// bpftrace, gdb, eu-stack, jstack, Python's faulthandler, pmcstat, sample and Instruments of macOS,
// VTune, Visual Studio, perf report, uftrace and pprof write. There is no time: stacks lie side by
// side, as wide as their weights; of dumps of threads, each dump is as wide as 1.
//
//               unix`mutex_exit+0x12
//               genunix`kmem_free+0x4e
//                 3
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_stack_text(std::span<const std::byte> head);
Status read_stack_text(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
