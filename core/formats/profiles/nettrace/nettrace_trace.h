// The first block's description of the whole trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::nettrace {

struct TraceBlock {
  int64_t begin_ns = 0;     // since 1970; 0 where its date is none
  int64_t begin_ticks = 0;  // the same on the trace's clock
  int64_t ticks_per_second = 1;
  uint32_t pointer_bytes = sizeof(uint64_t);
  uint64_t process = 0;
  std::vector<std::pair<std::string, std::string>> about;

  Time time_of(int64_t ticks) const;
};

std::optional<TraceBlock> take_trace_block(std::string_view block, uint32_t version);

}  // namespace weft::formats::nettrace
