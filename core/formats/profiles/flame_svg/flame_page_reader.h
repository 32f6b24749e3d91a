// The reader of flame graphs that async-profiler draws as HTML pages: the part of the page's script
// that core/io/page.h leaves of it. Since version 3 names stand before the frames, each with what
// it shares with the one before it, and a frame says only what is not as in the one before it:
//
//   'all',                     names; behind the first sign of one, which says how many characters
//   ' java/lang/Thread.run',   of the name before begin it, too (' ': none)
//   '2tart',
//   n(3,584)                   beside the frame before: the name's number * 8 + its kind, samples
//   u(17,178)                  above it
//   f(25,2,70,68)              anywhere: level, distance from the last frame's left end, samples
//
//   f(1,0,178,1,'Thread.run')  until then: level, left end, samples, kind, name
//
// Stacks lie side by side, as wide as their totals.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_flame_page(std::span<const std::byte> head);
Status read_flame_page(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
