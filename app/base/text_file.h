// The user's own files of text.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace weft::app {

// Whole, and under its name once it is there.
Status write_text(std::string_view text, const std::filesystem::path& path);

// Renames a file that cannot be understood to NAME.broken, or NAME.broken-2 and so on where that
// was kept before. Its new path; where it cannot be renamed, it stays as it is.
std::filesystem::path set_aside(const std::filesystem::path& path);

}  // namespace weft::app
