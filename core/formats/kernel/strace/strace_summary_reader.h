// The reader of the tables that `strace -c` (also with -w, -U and for several architectures) and
// `ltrace -c` print: calls with how often they were made, how long they took and how often they
// failed. They have no times, so they lie side by side, as wide as the time they took, or, where
// that is 0 for all, as often as they were made; what else the table says of a call are parameters.
//
//   % time     seconds  usecs/call     calls    errors syscall
//   ------ ----------- ----------- --------- --------- ----------------
//    28.15    0.000038           1        34        13 openat
//   ------ ----------- ----------- --------- --------- ----------------
//   100.00    0.000135           0       144        19 total
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_strace_summary(std::span<const std::byte> head);
Status read_strace_summary(io::Source& source, trace::EventSink& sink, const ReadContext& context);
std::vector<Page> strace_summary_pages();

}  // namespace weft::formats
