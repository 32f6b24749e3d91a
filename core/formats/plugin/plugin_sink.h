// The host side of a plugin's read(): validates everything the plugin reports.
#pragma once

#include "core/base/result.h"
#include "core/formats/formats.h"
#include "core/formats/plugin/weftscope_reader.h"

namespace weft::formats {

// Runs the plugin's read(). Fails with the plugin's own error or the source's. Nonsensical calls
// are counted as losses.
Status read_by_plugin(const weftscope_trace_type& plugin, io::Source& source,
                      trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
