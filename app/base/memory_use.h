// How much memory the program holds, as the kernel reports it. Call it on a worker: it reads a
// file.
#pragma once

#include <cstdint>

namespace weft::app {

struct MemoryUse {
  uint64_t resident_bytes = 0;  // resident now, in the whole program
  uint64_t peak_bytes = 0;      // the maximum of resident_bytes so far
  uint64_t own_bytes = 0;       // the resident part that the program allocated
  uint64_t file_bytes = 0;      // resident pages of mapped files, which can be dropped at any time
};

// All zero if the kernel does not report it.
MemoryUse measure_memory();

}  // namespace weft::app
