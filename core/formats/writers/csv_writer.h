// Writes events as comma-separated values, one per line, in the columns of `weftscope events
// --format csv` plus two: the type's group and the unit of a tick. Times are ticks. Lanes are
// written as paths only, so slashes in their names separate components.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

Result<std::unique_ptr<Writer>> create_csv_writer(const std::filesystem::path& path);

}  // namespace weft::formats
