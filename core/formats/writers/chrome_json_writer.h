// Writes Chrome Trace Event JSON: states as complete events, punctual events as instants, links as
// flows, variables as counters. A root lane is a process, the lanes below it are its threads, named
// by their path from it. What other programs have no use for (where a lane stands, the colour of a
// type, parameters of a variable, the trace's metadata) is told in ways that they pass over; bytes
// of a payload become a parameter, in hexadecimal.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

Result<std::unique_ptr<Writer>> create_chrome_json_writer(const std::filesystem::path& path);

}  // namespace weft::formats
