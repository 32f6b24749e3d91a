// Reads Symbols from the debug information of a program, a library or an object file: enums, and
// structs as the compiler laid them out. By libdw.
#pragma once

#include <filesystem>
#include <stop_token>

#include "core/base/result.h"
#include "core/symbols/symbols.h"

namespace weft::symbols {

// Reads at most kMostDwarfTypes types; those beyond, and structs that contradict themselves
// (members outside of them), are left out and counted. Errors do not name the file.
inline constexpr size_t kMostDwarfTypes = 1'000'000;
Result<Symbols> read_dwarf(const std::filesystem::path& path, const std::stop_token& stop);

}  // namespace weft::symbols
