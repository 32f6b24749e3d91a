// The reader of strace's output: system calls as states where their ends are known (-T, or calls
// that were resumed), else as punctual events; signals and ends of processes as punctual events;
// who made a process or thread as a link. Threads lie below their process where clone() tells.
//
// Times are nanoseconds: since 1970 (-ttt), since midnight (-t, -tt), or from the first line (-r).
// Without any, lines are counted.
//
// Source: strace(1), and its sources where that is silent.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_strace(std::span<const std::byte> head);
Status read_strace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
