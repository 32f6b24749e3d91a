// User-defined trace types: each file defines one row of the registry (formats.h). JSON definitions
// are described in custom/definition.h; the file's name is the row's id.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

// Makes the row that a file defines, chosen by its extension, with `origin` set; for add_format().
// A reader process thereby gets the same row as the program that started it. Errors name the file.
// For a plugin (.so), call it in reader processes only: loading a plugin runs it.
Result<Format> format_from_file(const std::filesystem::path& file);

// Reads a definition's file.
Result<std::string> definition_text(const std::filesystem::path& file);

// The folder of the user's files within a configuration folder (io::config_folder()).
std::filesystem::path user_format_folder(const std::filesystem::path& config_folder);
// Adds what the files of a folder define, in order of their names; a missing folder counts as
// empty. Returns an error, naming the file, for each that is skipped.
std::vector<Error> add_formats_in(const std::filesystem::path& folder);

}  // namespace weft::formats
