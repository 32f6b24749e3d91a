// The bars of a histogram of durations or latencies, with round values below them and lines across
// them at round heights.
#pragma once

#include <optional>
#include <span>

#include "app/panels/panels.h"
#include "core/layout/length_ticks.h"

namespace weft::app {

// Bars beside each other.
struct BarRange {
  size_t first = 0;
  size_t last = 0;
  bool contains(size_t bar) const { return first <= bar && bar <= last; }
  bool operator==(const BarRange&) const = default;
};

struct LengthBars {
  const PanelInput& input;
  Area area;                          // of the bars; values stand below it, heights at its left
  const layout::LengthAxis& lengths;  // over the area's width
  std::span<const double> values;     // the heights
  bool are_counts = true;
  std::optional<BarRange> chosen = {};
};

// The width left of the bars for the labels of these heights, in the current font.
float heights_width(const PanelInput& input, std::span<const double> values, bool are_counts);

// Draws the bars, in the current font. Returns the bar under the pointer.
std::optional<size_t> draw_length_bars(const LengthBars& bars);

}  // namespace weft::app
