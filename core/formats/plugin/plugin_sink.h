// What a plugin's read() is given, and what becomes of what it says. Nothing of it is believed.
#pragma once

#include "core/base/result.h"
#include "core/formats/formats.h"
#include "core/formats/plugin/weftscope_reader.h"

namespace weft::formats {

// Runs the plugin's read(). An error: the plugin's own, or the source's. What made no sense is a
// loss.
Status read_by_plugin(const weftscope_trace_type& plugin, io::Source& source,
                      trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
