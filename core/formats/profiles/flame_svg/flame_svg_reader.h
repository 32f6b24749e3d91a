// The reader of flame graphs as SVG, as flamegraph.pl, inferno and async-profiler draw them: what
// is left of a profile when only its picture was kept. Of each frame it has its name, its total and
// its place:
//
//   <g><title>fib (1,040 samples, 80.00%)</title><rect x="10.0" y="341" width="944.0" … /></g>
//
// Stacks lie side by side as in the picture, as wide as their totals. Frames that were too narrow
// to be drawn are part of their callers. Held until the end: 64 bytes a frame.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_flame_svg(std::span<const std::byte> head);
Status read_flame_svg(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
