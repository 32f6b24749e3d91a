// The reader of the Open Trace Format 2 (Score-P, EZTrace, and others), by the library of that
// name, where it was there when this program was built: locations become lanes of processes and
// threads, regions states, messages and collective operations links, metrics variables.
//
// A trace is a folder with an anchor, NAME.otf2, its definitions and a folder of events.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_otf2(std::span<const std::byte> head);  // of the anchor
int sniff_otf2_folder(const io::Source& folder);
Status read_otf2(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
