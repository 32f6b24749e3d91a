// Writes Pajé traces with the header that PajeNG and ViTE know. Containers are of a type for each
// kind of lane, events of one for each group. Each depth of a lane's states is a state type of its
// own, pushed and popped, so that states that overlap stay as they are. Parameters and groups of
// variables have no place in it.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

Result<std::unique_ptr<Writer>> create_paje_writer(const std::filesystem::path& path);

}  // namespace weft::formats
