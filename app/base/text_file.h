// Writes the user's own text files, and sets broken ones aside.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace weft::app {

// Writes the whole text; the file appears under its name once it is complete.
Status write_text(std::string_view text, const std::filesystem::path& path);

// Renames a file that cannot be understood to NAME.broken or, if that exists already, to
// NAME.broken-2 and so on. Returns the new path, or `path` if it cannot be renamed.
std::filesystem::path set_aside(const std::filesystem::path& path);

}  // namespace weft::app
