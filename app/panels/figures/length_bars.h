// The bars of a histogram of lengths, durations and latencies alike, with round lengths below them
// and lines across them at round heights.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "app/panels/panels.h"
#include "core/layout/length_ticks.h"

namespace weft::app {

struct LengthBars {
  const PanelInput& input;
  Area area;                          // of the bars; the lengths stand below it, the heights left
  const layout::LengthAxis& lengths;  // of the area's width
  std::span<const double> values;     // how high each is
  bool are_counts = true;
  std::optional<size_t> chosen = {};
};

// The room left of bars of these values, in the present font.
float heights_width(const PanelInput& input, std::span<const double> values, bool are_counts);

// In the present font. The bar that the pointer is on.
std::optional<size_t> draw_length_bars(const LengthBars& bars);

}  // namespace weft::app
