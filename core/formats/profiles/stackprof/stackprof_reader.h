// The reader of what stackprof writes of a Ruby program (StackProf.run's `out`, a dump of Ruby's
// Marshal) and of what `stackprof --json` makes of it: sampled stacks, with times where
// the version of stackprof kept them. Otherwise, and where objects were counted (mode "object"),
// stacks lie side by side as wide as they were often.
//
//   {"version": 1.2, "mode": "wall", "interval": 1000, "samples": 2, "gc_samples": 0,
//    "frames": {"7": {"name": "main", "file": "a.rb"}, "8": {"name": "Object#a", "file": "a.rb"}},
//    "raw": [2, 7, 8, 2], "raw_timestamp_deltas": [1010, 1004]}
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_stackprof(std::span<const std::byte> head);
Status read_stackprof(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
