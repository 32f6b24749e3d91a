// The reader of GStreamer's debug log (GST_DEBUG), plain or with colours:
//
//   0:00:00.007493087 19149 0x557743bfca40 INFO  GST_STATES gstelement.c:2816:func:<sink0> message
//
// Messages are punctual events on the lanes of their threads, whose types are the categories,
// grouped by level. Elements have lanes of their own: the state that they were in ("completed state
// change to …"), and what the tracers (GST_TRACERS) say of times, as values in nanoseconds. Lines
// that are not messages go on with the one before.
//
// Memory: names, and one message.
//
// Source: GStreamer's gstinfo.c and its tracers (plugins/tracers).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_gstreamer(std::span<const std::byte> head);
Status read_gstreamer(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
