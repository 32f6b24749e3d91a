// The user's own trace types as files: saved, and from then on rows of the table of formats. Used
// by the window's commands and by the command line. (XC-33)
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/general/custom/definition.h"

namespace weft::app {

// The file that the definition of this id has in the folder. An error where the id is no word of
// a-z, 0-9 and '-'.
Result<std::filesystem::path> trace_type_file(const std::filesystem::path& folder,
                                              std::string_view id);

// Writes the definition, whole or not at all, and adds its trace type, or puts it in the place of
// the one of this id. Nothing is written of one that cannot be understood, or under the id of a
// trace type of the program's.
Status save_trace_type(const std::filesystem::path& folder, std::string_view id,
                       const formats::custom::Definition& definition);

// "Boot log (2)" as an id: "boot-log-2".
std::string trace_type_id(std::string_view name);

}  // namespace weft::app
