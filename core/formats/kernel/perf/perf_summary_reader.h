// The reader of the tables that `perf trace -s` prints, one for each thread or one for all, and of
// those of `perf sched latency`, `perf lock contention` and `perf kvm stat`. Calls, tasks, places
// that waited for locks and reasons for which virtual machines stopped lie side by side, as wide as
// they took altogether; what else the table says of them are parameters.
//
//    sleep (17964), 218 events, 97.3%
//      syscall            calls  errors  total       min       avg       max       stddev
//                                        (msec)    (msec)    (msec)    (msec)        (%)
//      --------------- --------  ------ -------- --------- --------- ---------     ------
//      openat                30     13     0.426     0.013     0.014     0.018      1.67%
//
//     Task          |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max delay at |
//     bash:17681    |      2.534 ms |        1 | avg:  13.872 ms | max:  13.872 ms | max at: 1.2 s
//     |
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_perf_summary(std::span<const std::byte> head);
Status read_perf_summary(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
