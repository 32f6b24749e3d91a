// The reader of the Common Trace Format, version 1.8: LTTng's traces of the kernel and of user
// space, barectf's, Zephyr's, and any other. A trace is a folder with a file `metadata`; all traces
// below one folder are read as one (the kernel's and user space's of a session).
//
// Babeltrace 2 decodes; ctf/player.h says what the events mean.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_ctf(std::span<const std::byte> head);  // of `metadata`
int sniff_ctf_folder(const io::Source& folder);
Status read_ctf(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
