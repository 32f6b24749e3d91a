// Reads Symbols from what a user points at: folders of C sources, single files of them, programs or
// object files with debug information (DWARF), and symbol maps, each known by its content.
//
// A symbol map is a small JSON file; a folder's is called weftscope-symbols.json:
//
//   {"target": {"endian": "big", "pointer": 4, "long": 4},
//    "queues": "QUEUE_", "types": "enum MessageType", "structs": {"MSG_SAMPLE": "struct sample"}}
//
// Bounded: kMostFiles files and kMostBytes of sources; what is beyond is counted. Links are not
// followed. Work for workers: seconds for a large tree.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>

#include "core/base/result.h"
#include "core/symbols/symbols.h"

namespace weft::symbols {

inline constexpr uint64_t kMostFiles = 50'000;
inline constexpr uint64_t kMostBytes = 256ull << 20;

// An error names the path that cannot be read. Where a program and sources both know a struct, the
// program is believed.
Result<std::shared_ptr<const Symbols>> read_symbols(std::span<const std::filesystem::path> paths,
                                                    const std::stop_token& stop = {});

}  // namespace weft::symbols
