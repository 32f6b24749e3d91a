// The reader of value change dumps (VCD), as simulators and logic analysers write them. Each
// variable is a lane below its scope: a bit is a state while it is 1, vectors and reals are
// variables, texts are states; what is undefined (x) or not driven (z) is a state that says so.
//
//   $timescale 1 ns $end
//   $scope module top $end
//   $var wire 8 # data [7:0] $end
//   $enddefinitions $end
//   #120
//   b10110 #
//
// Source: IEEE Std 1364-2005, clause 18; texts (s…) as GHDL and GTKWave write them.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_vcd(std::span<const std::byte> head);
Status read_vcd(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
