// Writes a trace as Perfetto's protobuf: lanes as tracks of processes, threads, counters and names,
// states as begins and ends, punctual events, variables and links as flows that begin and end
// where the link does. What is written reads back as the same lanes and events.
//
// Perfetto has no place for colours and what variables have beside their values, payloads are
// written as a parameter in hexadecimal, and what happens before time 0 moves all of the trace.
// Times are nanoseconds; those of a base that knows no seconds are written as they are. States of a
// lane that overlap get tracks beside each other.
//
// Events are given in order of time (of their begins, states by depth), as query::extract() does.
// Memory: lanes, types, what is open, and the parameters that were made last.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

Result<std::unique_ptr<Writer>> create_perfetto_writer(const std::filesystem::path& path);

}  // namespace weft::formats
