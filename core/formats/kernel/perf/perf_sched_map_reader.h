// The reader of what `perf sched map` prints: a column for each CPU, and a line for each switch
// with the short names of the tasks that run, the new one behind a star.
//
//     *A0       14118.090855 secs A0 => migration/0:18
//      A0 *B0   14118.092831 secs B0 => sh:17654
//     *.   B0   14118.093000 secs .  => swapper:0
//
// Each task is a state of the CPU that it ran on. Without --compact a column is the CPU of its
// place; with it, the line in which a CPU is first seen says which it is.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_perf_sched_map(std::span<const std::byte> head);
Status read_perf_sched_map(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
