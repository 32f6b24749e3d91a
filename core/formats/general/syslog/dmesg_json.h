// What `dmesg --json` prints, {"dmesg":[{"pri":6,"time":1.5,"msg":"usb 1-1: new device"}, …]}, as
// the lines that dmesg prints without it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

bool is_dmesg_json(std::string_view head);

// What is not a message is a loss of the sink's. An error where it is not JSON at all.
Result<std::string> dmesg_lines(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes);

}  // namespace weft::formats
