// Makes Nexus-lite traces to try things with: a small embedded system that boots, serves requests
// in bursts and idles in between, long enough for its clock to roll over in large traces.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/result.h"

namespace weft::formats {

// Writes a trace; the same seed gives the same file. `events` > 0. Errors name the file.
Status write_nexus_lite(const std::filesystem::path& path, uint64_t events, uint64_t seed);

}  // namespace weft::formats
