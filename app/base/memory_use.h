// What the kernel says the program holds in memory. Work for a worker: it reads a file.
#pragma once

#include <cstdint>

namespace weft::app {

struct MemoryUse {
  uint64_t resident_bytes = 0;  // of the whole program, now …
  uint64_t peak_bytes = 0;      // … and at most so far
  uint64_t own_bytes = 0;       // of that now: what the program allocated
  uint64_t file_bytes = 0;      // and pages of mapped files, which can be dropped at any time
};

// Zeros where the kernel does not tell.
MemoryUse measure_memory();

}  // namespace weft::app
