// Writing a text whole, under its name once it is there.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace weft::app {

Status write_text(std::string_view text, const std::filesystem::path& path);

}  // namespace weft::app
