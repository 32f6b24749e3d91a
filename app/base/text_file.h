// Reads and writes the user's own text files, and sets broken ones aside.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "app/base/json.h"
#include "core/base/result.h"

namespace weft::app {

// Writes the whole text; the file appears under its name once it is complete.
Status write_text(std::string_view text, const std::filesystem::path& path);

// Reads a file of JSON; discarded if it is none. Fails if the file is larger, or cannot be read.
Result<Json> read_json(const std::filesystem::path& path, uint64_t most_bytes);

// Renames a file that cannot be understood to NAME.broken or, if that exists already, to
// NAME.broken-2 and so on. Returns what became of it: "was put aside as NAME.broken".
std::string set_aside(const std::filesystem::path& path);

}  // namespace weft::app
