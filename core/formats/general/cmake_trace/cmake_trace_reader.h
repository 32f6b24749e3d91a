// The reader of what `cmake --trace --trace-format=json-v1` writes: the commands that it ran, a
// line each, with when they began and how deep they were called.
//
//   {"version":{"major":1,"minor":2}}
//   {"args":["x"],"cmd":"project","file":"/src/CMakeLists.txt","global_frame":1,"line":2,"time":1.5}
//
// A command is a state: it lasts until the next one that is called no deeper, the last ones until
// the last line. (What --profiling-format=google-trace writes has ends, and is Trace Event JSON.)
//
// Source: the manual of cmake(1).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_cmake_trace(std::span<const std::byte> head);
Status read_cmake_trace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
