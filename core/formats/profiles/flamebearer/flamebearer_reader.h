// Reads flame graphs as Pyroscope gives them out in JSON (`/pyroscope/render?format=json`, the
// files that its user interface downloads), one profile or two that are compared:
//
//   {"flamebearer": {"names": ["total", "main", "work"],
//                    "levels": [[0, 10, 0, 0], [0, 10, 2, 1], [2, 8, 8, 2]], "numTicks": 10},
//    "metadata": {"format": "single", "units": "samples", "sampleRate": 100}}
//
// A level is a row of bars: what is free before each, its total, what it has itself, its name; of
// two profiles the first three for each. Bars become nested states, as wide as their totals, on a
// lane for each profile: in nanoseconds where they are samples of a known rate.
//
// Source: Pyroscope's documentation of its server's API.
#pragma once

#include <cstddef>
#include <span>

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_flamebearer(std::span<const std::byte> head);
Status read_flamebearer(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
