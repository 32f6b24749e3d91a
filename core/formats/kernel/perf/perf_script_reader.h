// The reader of what `perf script` prints: samples with their stacks, and tracepoints.
//
//   sh  4739/4739 [002] 4021.854843:    2004008 cpu-clock:
//           ffffffff8164067e free_pages+0x8e ([kernel.kallsyms])
//           ffffffff815f5f03 exit_mmap+0x43 ([kernel.kallsyms])
//
// Each sample is a punctual event. Its stack is shown as states until the thread's next sample, but
// for at most twice the thread's shortest gap so far: what was not sampled is not made up. Where
// perf printed no times, samples are counted. Stacks may stand without anything before them
// (-F ip,sym): a blank line is between them then.
//
// Tracepoints of the kernel (sched, irq, system calls, …) whose CPU and time are printed mean what
// they mean in ftrace's text: states of tasks and CPUs, and links of wake-ups. So do switches that
// perf recorded of CPUs (--show-switch-events).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_perf_script(std::span<const std::byte> head);
Status read_perf_script(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
