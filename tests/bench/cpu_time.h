// Processor time: other programs on the machine do not count.
#pragma once

#include <ctime>

namespace weft::bench {

// `clock`: CLOCK_PROCESS_CPUTIME_ID, of all threads, or CLOCK_THREAD_CPUTIME_ID, of this one.
inline double cpu_seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace weft::bench
