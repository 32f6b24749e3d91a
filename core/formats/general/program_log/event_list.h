// A log as one document of JSON, {"events":[{"timestamp":1710963303629,"message":"started"}, …]},
// as `aws logs filter-log-events`, interfaces of web services and Trace Compass give it, as lines
// of JSON. Other members, such as "metadata", may stand before the list and behind it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

bool is_event_list(std::string_view head);

// What is not an object is a loss of the sink's. An error where it is not JSON at all.
Result<std::string> lines_of_events(io::Source& source, trace::EventSink& sink,
                                    uint64_t memory_bytes);

}  // namespace weft::formats
