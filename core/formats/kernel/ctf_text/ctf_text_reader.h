// Events of CTF traces as babeltrace, babeltrace2 and `lttng view` print them: made a CTF trace
// again (ctf_text/recording.h), and read as one.
#pragma once

#include <span>

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_ctf_text(std::span<const std::byte> head);
Status read_ctf_text(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
