// Reads what V8 recorded of allocations over time (.heapsnapshot, .heaptimeline; "Allocations on
// timeline" of Chrome, HeapProfiler.startTrackingHeapObjects). It is a snapshot of the heap with
// members that others have empty:
//
//   "samples": [0, 1, 50000, 31]     microseconds, and the last number that objects had then
//   "trace_tree": [1, 0, 0, 0, [2, 1, 5, 200, []]]
//                                    nodes: number, function, objects, bytes, those it called
//   "trace_function_infos": [1, 3, 4, 7, 10, 2]
//                                    functions: number, name and script (of "strings"), …
//
// Objects are numbered as they are made, so each was made between two samples: how many of them,
// and of their bytes, are still there are variables. What stacks allocated, still there or not, is
// as wide as it was. Objects themselves have no times. A snapshot without either is refused.
//
// Source: V8, src/profiler/heap-snapshot-generator.cc; Chrome's DevTools, HeapSnapshot.ts.
#pragma once

#include <cstddef>
#include <span>

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_heap_timeline(std::span<const std::byte> head);
Status read_heap_timeline(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
