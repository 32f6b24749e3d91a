// Loads a plugin, a shared object that reads a type of trace (weftscope_reader.h), into this
// process.
//
// Call only in the reader process, since the object's code affects the whole process; the viewer
// knows plugins by that process's description of them (app/opening/plugins.h).
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

// The only folder from which plugins are loaded, below io::data_folder(). Empty without a home.
std::filesystem::path plugin_folder();

// Checks that a file may be loaded: it must lie in the plugin folder, be no symbolic link, and,
// like the folders above it (up to the program's own), be writable only by the user or root. The
// error names what is wrong.
Status check_plugin(const std::filesystem::path& file);

// Checks and loads a plugin for the rest of the process's life. Returns its row, everything but
// `is_foreign` and `origin` as the object says. Nothing is trusted: texts are made valid, lists cut
// at kMostItems.
inline constexpr size_t kMostItems = 100;
Result<Format> load_plugin(const std::filesystem::path& file);

}  // namespace weft::formats
