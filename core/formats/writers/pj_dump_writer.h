// Writes what PajeNG's pj_dump prints: finished entities, a line each, containers by unique names.
// Parameters, colours and groups of variables have no place in it.
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

Result<std::unique_ptr<Writer>> create_pj_dump_writer(const std::filesystem::path& path);

}  // namespace weft::formats
