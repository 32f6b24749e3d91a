// Writes Pajé traces with the header that PajeNG and ViTE know. Containers are of a type for each
// kind of lane, events of one for each group. States are pushed and popped; those that overlap are
// of state types of their own, so that they stay as they are. Parameters and groups of variables
// have no place in it.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

Result<std::unique_ptr<Writer>> create_paje_writer(const std::filesystem::path& path);

}  // namespace weft::formats
