// Saves the user's own trace types as files, and adds them to the table of formats. Used by the
// window's commands and by the command line. (XC-33)
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/general/custom/definition.h"

namespace weft::app {

// The file for the definition with this id. An error if the id does not consist of a-z, 0-9 and
// '-'.
Result<std::filesystem::path> trace_type_file(const std::filesystem::path& folder,
                                              std::string_view id);

// Writes the definition, whole or not at all, and adds its trace type, or replaces the one with
// this id. A definition that cannot be understood, or has the id of a built-in trace type, is not
// written.
Status save_trace_type(const std::filesystem::path& folder, std::string_view id,
                       const formats::custom::Definition& definition);

// Makes an id of a name: "Boot log (2)" becomes "boot-log-2".
std::string trace_type_id(std::string_view name);

}  // namespace weft::app
