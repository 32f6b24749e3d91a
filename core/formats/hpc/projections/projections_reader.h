// The reader of logs of Charm++ (Projections): what the processing elements (PE) of a run did. A
// run is NAME.sts, which names things, and a log for each PE, NAME.0.log and so on, which may be
// compressed; any of these files opens all. A log without a .sts has numbers for names.
//
// A PE is a lane. Entry methods are states, named "chare::entry", with idle time, packing and
// unpacking; a message is a link from its creation to what processed it; what the user's code
// marks are events, states and variables. Times are microseconds.
//
// Source: Charm++'s trace-projections.C, and Projections' LogReader and StsReader.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_projections(std::span<const std::byte> head);
Status read_projections(io::Source& source, trace::EventSink& sink, const ReadContext& context);
// Returns the run to which a file of this name belongs; empty: none.
std::string projections_run(std::string_view file_name);

}  // namespace weft::formats
