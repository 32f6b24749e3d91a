// The reader of recordings that the timelines of Safari's Web Inspector export: sampled stacks of
// JavaScript, and records of layout, scripts, frames, network, memory and processor time. Times are
// seconds since the page's process has its clock.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_webkit_timeline(std::span<const std::byte> head);
Status read_webkit_timeline(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
