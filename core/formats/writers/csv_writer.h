// Writes events as comma-separated values, a line each, in the columns that `weftscope events
// --format csv` prints, and two more: the group of the type, and what a tick is. Times are ticks.
// Lanes are paths, so that slashes in their names part them, and nothing else of them is said.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

Result<std::unique_ptr<Writer>> create_csv_writer(const std::filesystem::path& path);

}  // namespace weft::formats
