// The bars of a histogram of lengths, durations and latencies alike, with round lengths below them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "app/panels/panels.h"
#include "core/base/time.h"

namespace weft::app {

struct LengthBars {
  const PanelInput& input;
  Area area;                         // of the bars; the lengths stand below it
  std::span<const int64_t> borders;  // in ticks, ascending, one more than bars
  std::span<const double> values;    // how high each is
  std::optional<size_t> chosen = {};
};

// In the present font. The bar that the pointer is on.
std::optional<size_t> draw_length_bars(const LengthBars& bars);

}  // namespace weft::app
