// Reads Symbols from user-given paths: C sources and folders of them, programs or object files with
// debug information (DWARF), and symbol maps, all recognised by content.
//
// A symbol map is a small JSON file; a folder's is called weftscope-symbols.json:
//
//   {"target": {"endian": "big", "pointer": 4, "long": 4},
//    "queues": "QUEUE_", "types": "enum MessageType", "structs": {"MSG_SAMPLE": "struct sample"}}
//
// Bounded: kMostFiles files and kMostBytes of sources; what is beyond is counted. Links are not
// followed. Takes seconds for a large tree: call from workers.
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

// Errors name the path that cannot be read. If a program and sources define the same struct, the
// program takes precedence.
Result<std::shared_ptr<const Symbols>> read_symbols(std::span<const std::filesystem::path> paths,
                                                    const std::stop_token& stop = {});

}  // namespace weft::symbols
