// The reader of V8's CPU profiles (.cpuprofile), as Chrome and Node.js write them: a tree of calls,
// and which of its nodes was running when. Newer ones list nodes with their children, older ones
// nest them from `head`. So do sampling profiles of the heap (.heapprofile), whose nodes have
// bytes. Business Central's (.alcpuprofile) say of each node of which object and application it is.
//
// Times are microseconds. A profile without samples is laid out by the hits of its nodes, one of
// the heap by its bytes. Read as a whole (json_document.h).
//
// Source: Profiler.Profile and HeapProfiler.SamplingHeapProfile of the Chrome DevTools Protocol.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_cpu_profile(std::span<const std::byte> head);
Status read_cpu_profile(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
