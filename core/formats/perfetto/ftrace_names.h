// What the kernel's tracepoints and their fields are called, by the numbers that Perfetto gives
// them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::formats::perfetto {

struct TracepointNames {
  uint32_t number = 0;  // the field of FtraceEvent
  std::string_view name;
  std::vector<std::string_view> fields;  // from field 1 on; "-": none of that number
};

// Null where the number is not known.
const TracepointNames* tracepoint_names(uint32_t number);

}  // namespace weft::formats::perfetto
