// The reader of what a Haskell program that was built for profiling writes with `+RTS -pj`: a tree
// of cost centres, each with the ticks of the profiler's timer that it ran, what it allocated and
// how often it was entered. There is no time: calls lie side by side, as wide as they ran long.
// What
// `-p` and `-P` write, the same as text, is ghc_profile_text.h's.
//
//   {"program": "x", "tick_interval": 1000, "cost_centres": [{"id": 1, "label": "MAIN", …}],
//    "profile": {"id": 1, "entries": 0, "alloc": 648, "ticks": 2, "children": []}}
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_ghc_profile(std::span<const std::byte> head);
Status read_ghc_profile(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
