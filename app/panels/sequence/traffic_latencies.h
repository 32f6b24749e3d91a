// How long messages were on their way, as bars on a logarithmic scale, with the percentiles above.
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
  std::string of;  // "a → b": whose they are; any text
  query::Distribution latencies;
  bool are_known = true;
};

struct LatencyBar {
  int64_t least = 0;
  int64_t most = 0;
  uint64_t count = 0;
};
// The bar that the pointer is on.
std::optional<LatencyBar> draw_latencies(const LatencyPicture& picture);

}  // namespace weft::app
