// Trace types that a user brings: each is a file that defines one row of the table (formats.h). A
// definition in JSON is custom/definition.h's; its file's name is the row's id.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

// The row that a file defines, by the file's extension, with `origin` the file; for add_format().
// A reader process makes by it the row that the program which started it has. An error names the
// file. Of a plugin (.so) only a reader process calls it: loading it runs it.
Result<Format> format_from_file(const std::filesystem::path& file);

// The whole of a definition's file.
Result<std::string> definition_text(const std::filesystem::path& file);

// Where the user's files lie in this configuration folder (io::config_folder()).
std::filesystem::path user_format_folder(const std::filesystem::path& config_folder);
// Adds what the files of a folder define, in the order of their names; a folder that is not there
// has none. What cannot be is left out, and left where it is: an error each, naming the file.
std::vector<Error> add_formats_in(const std::filesystem::path& folder);

}  // namespace weft::formats
