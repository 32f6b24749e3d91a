// The reader of Fast Signal Traces (FST), the compressed dumps that GTKWave brought: Verilator,
// Icarus, GHDL and NVC write them. What they hold is what a VCD holds, and is shown as it (see
// vcd_reader.h), signal by signal instead of time by time. Not shown: where in its source a signal
// is, names of enumerations' values, and when the simulator did not dump.
//
// Source: block_format.txt of gtkwave/libfst, and its fstapi.c where that says less.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_fst(std::span<const std::byte> head);
Status read_fst(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
