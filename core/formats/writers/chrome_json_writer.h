// Writes Chrome Trace Event JSON: states as complete events, punctual events as instants, links as
// flows, variables as counters. A root lane is a process, the lanes below it are its threads, named
// by their path from it. What other programs cannot use (a lane's position, a type's colour, a
// variable's parameters, the trace's metadata) is written in ways they ignore; payload bytes become
// a parameter, in hexadecimal.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

Result<std::unique_ptr<Writer>> create_chrome_json_writer(const std::filesystem::path& path);

}  // namespace weft::formats
