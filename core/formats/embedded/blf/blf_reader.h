// The reader of Vector's Binary Logging Format (.blf), as CANoe, CANalyzer and python-can write it:
// frames of CAN and CAN FD, LIN, FlexRay and Ethernet, by bus, channel and identifier, with their
// bytes; errors, statistics of a bus, environment and system variables, markers, comments; whatever
// else was logged by its name and with its bytes.
//
// Times are nanoseconds since 1970, by the clock of the recorder, whose zone the log does not say.
// Memory: a container at a time (mostly 128 KiB), and the names.
//
// Sources: see blf/blf_objects.h.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_blf(std::span<const std::byte> head);
Status read_blf(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
