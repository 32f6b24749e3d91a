// Gives up, permanently, everything that a reader of traces does not need: writing, starting
// programs, the network, other processes. Linux only.
#pragma once

#include <cstdint>
#include <filesystem>

namespace weft::app {

// What is done within.
enum class Purpose : uint8_t {
  kReading,    // writes nothing where the kernel cannot confine writing to a folder (before 5.13)
  kUnpacking,  // writes even then, but makes no symbolic links, which who reads its files would
               // follow
};

// Confines the calling process; call it before any thread is started. Files may still be opened for
// reading, and written in `scratch`. Returns false if the kernel does not support system call
// filters: then the process is merely separate.
bool enter_sandbox(const std::filesystem::path& scratch, Purpose purpose = Purpose::kReading);

}  // namespace weft::app
