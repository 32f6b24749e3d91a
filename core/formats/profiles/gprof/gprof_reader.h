// The reader of what gprof prints of a program's `gmon.out`: its graph of calls, else, where only
// that is there (-p), its flat profile.
//
//   index % time    self  children    called     name
//                                                    <spontaneous>
//   [1]    100.0    0.00    0.02                 main [1]
//                   0.01    0.00     200/220         leaf [2]
//   -----------------------------------------------
//
// The graph is drawn as callgrind's is (callgrind/call_tree.h), in nanoseconds; gprof measures in
// hundredths of a second. Functions in which no sample fell are as wide as they were called often,
// where that is so of all.
//
// Source: gprof's manual (GNU Binutils).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_gprof(std::span<const std::byte> head);
Status read_gprof(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
