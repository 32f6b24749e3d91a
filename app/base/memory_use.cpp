#include "app/base/memory_use.h"

#include <fstream>
#include <string>

namespace weft::app {

// Lines as "VmRSS:    12345 kB".
MemoryUse measure_memory() {
  MemoryUse use;
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name;) {
    uint64_t kib = 0;
    if (name == "VmHWM:" && status >> kib) use.peak_bytes = kib << 10;
    if (name == "VmRSS:" && status >> kib) use.resident_bytes = kib << 10;
    if (name == "RssAnon:" && status >> kib) use.own_bytes = kib << 10;
    if (name == "RssFile:" && status >> kib) use.file_bytes = kib << 10;
    status.ignore(4096, '\n');
  }
  return use;
}

}  // namespace weft::app
