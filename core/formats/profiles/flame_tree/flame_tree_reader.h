// Reads flame graphs as trees in JSON, as d3-flame-graph draws them (FlameScope, burn, profilers
// with a viewer of their own; `perf script flamegraph -f json`, in names of one letter):
//
//   {"name": "root", "value": 10, "children": [{"name": "main", "value": 9, "children": []}]}
//   {"n": "all", "l": "", "v": 0, "c": [{"n": "main", "l": "user", "v": 9, "c": []}]}
//
// A value is that of a frame and all that it called or, as the option `selfValue` has it, its own
// only. The file does not say which: where a frame has less than its children together, values are
// its own. The outermost frame often has no value at all.
//
// Stacks lie side by side in the order of the file, as wide as their values.
#pragma once

#include <cstddef>
#include <span>

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_flame_tree(std::span<const std::byte> head);
Status read_flame_tree(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
