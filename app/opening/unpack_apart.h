// Unpacks archives and pages in a process of its own, as reader_process.h reads traces.
//
//   this process                            weftscope-reader
//   PackedInput ──▷ blocks ─▷ socket ─▷ unpack_here() ─▷ files in the folder, which this process
//   Unpacked ◁──────────────── pipe ◁─ its answer         has made, and removes
#pragma once

#include <chrono>
#include <filesystem>

#include "app/opening/child_process.h"
#include "core/io/unpacked.h"

namespace weft::app {

// `program`: from reader_program(). If the process dies, that is the error, and what it has
// unpacked is not looked at.
io::Unpack unpack_apart(std::filesystem::path program,
                        std::chrono::milliseconds patience = kUsualPatience);

}  // namespace weft::app
