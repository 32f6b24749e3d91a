// A histogram of message latencies on a logarithmic scale, with percentiles above.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/panels.h"
#include "core/query/metrics/distribution.h"

namespace weft::app {

struct LatencyPicture {
  const PanelInput& input;
  Area area;
  std::string of;  // "a → b": whose latencies they are; any text
  query::Distribution latencies;
  bool are_known = true;
};

struct LatencyBar {
  int64_t least = 0;
  int64_t most = 0;
  uint64_t count = 0;
};
// Draws it. Returns the bar under the pointer.
std::optional<LatencyBar> draw_latencies(const LatencyPicture& picture);

}  // namespace weft::app
