// A shared object that reads a type of trace (weftscope_reader.h), in this process.
//
// Only the reader process calls this, for what the object does is done to the process; the viewer
// knows its plugins by what that process says of them (app/opening/plugins.h).
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

// Below io::data_folder(): the only folder from which plugins are loaded. Empty without a home.
std::filesystem::path plugin_folder();

// Whether the file may be loaded: it lies in the folder of plugins, it is no symbolic link, and
// file and folders above it (up to the program's own) can be changed by the user, or root, alone.
// An error says what is wrong, and names it.
Status check_plugin(const std::filesystem::path& file);

// Checks and loads it, for the rest of the process's life; the row it is, with everything but
// `is_foreign` and `origin` as the object says. What it says is not believed: texts are made valid,
// lists are cut at kMostItems.
inline constexpr size_t kMostItems = 100;
Result<Format> load_plugin(const std::filesystem::path& file);

}  // namespace weft::formats
