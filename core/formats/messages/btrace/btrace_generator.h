// Makes Btrace logs to try things with: queues that handle one message at a time and send others
// meanwhile, set going by a timer. Ids count up; one message in a thousand is thrown away.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/result.h"

namespace weft::formats {

struct BtraceWorkload {
  uint64_t messages = 100'000;
  uint32_t queues = 64;  // with that of the timer; at least 2
  uint64_t seed = 1;
};

// Writes a workload; the same one gives the same file. About 190 bytes and 0.3 µs a message. Errors
// name the file.
Status write_btrace(const std::filesystem::path& path, const BtraceWorkload& workload);

}  // namespace weft::formats
