// Trace types that a user brings: each is a file that defines one row of the table (formats.h).
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

// The row that a file defines, by the file's extension, with `origin` the file; for add_format().
// A reader process makes by it the row that the program which started it has. An error names the
// file.
Result<Format> format_from_file(const std::filesystem::path& file);

}  // namespace weft::formats
