// The reader of uftrace's folders: calls of functions become stacks of states on their threads,
// named by the symbols beside them; what the kernel took the processor away for, and events, are
// there, too.
//
//   info       "Ftrace!", version, byte order, features     TID.dat        records of a thread
//   task.txt   processes, threads, libraries loaded         perf-cpuN.dat  switches, by perf
//   sid-….map  where binaries lie in memory                 NAME.sym       their symbols
//
// Not read: arguments and values returned, what the kernel's own tracer recorded.
// Source: uftrace, doc/uftrace-data-format.md.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_uftrace(std::span<const std::byte> head);  // of `info`
int sniff_uftrace_folder(const io::Source& folder);
Status read_uftrace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
