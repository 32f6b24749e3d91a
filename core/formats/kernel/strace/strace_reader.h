// The reader of strace's output: system calls as states where their ends are known (-T, or calls
// that were resumed), else as punctual events; signals and ends of processes as punctual events;
// who made a process or thread as a link. Threads lie below their process where clone() tells.
//
// What option -ff writes, a file for each process (out.123), is one trace, where its lines have
// times: any of its files opens all. The data that -e read and -e write print is the payload.
//
// Times are nanoseconds: since 1970 (-ttt), since midnight (-t, -tt), or from the first line (-r).
// Without any, lines are counted.
//
// Source: strace(1), and its sources where that is silent.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_strace(std::span<const std::byte> head);
// "out" of "out.123"; empty: the name is no such.
std::string strace_run(std::string_view file_name);
Status read_strace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
