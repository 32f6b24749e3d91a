// The reader of GHW, the waveforms of GHDL: signals of all types of VHDL, also those of which a VCD
// knows nothing. They are shown as those of a VCD (see vcd_reader.h); elements of arrays and
// records lie below their signal, values of enumerations are states. Times are femtoseconds in the
// file, and picoseconds here.
//
// Source: the reader library that GHDL and GTKWave have (libghw.c); the format has no document.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_ghw(std::span<const std::byte> head);
Status read_ghw(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
