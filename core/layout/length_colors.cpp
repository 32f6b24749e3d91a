#include "core/layout/length_colors.h"

#include <algorithm>
#include <cmath>

#include "core/layout/ruler.h"

namespace weft::layout {
namespace {

constexpr int64_t kSpan = 1'000'000;  // six powers of ten

// In OKLCH: from a blue that recedes to a yellow, or on light ground a brown, that does not.
struct End {
  double lightness, chroma, hue_turns;
};
struct Ends {
  End shortest, longest;
};
constexpr Ends kDark = {{0.36, 0.045, 0.72}, {0.88, 0.13, 0.26}};
constexpr Ends kLight = {{0.90, 0.045, 0.62}, {0.42, 0.13, 0.10}};

}  // namespace

LengthColors::LengthColors(Duration longest, Theme theme)
    : from_{1}, to_(nice_step(static_cast<double>(std::max<int64_t>(longest.ticks, 10)))) {
  from_.ticks = std::max<int64_t>(to_.ticks / kSpan, 1);
  const auto& [first, last] = theme == Theme::kDark ? kDark : kLight;
  for (size_t i = 0; i < kSteps; ++i) {
    const double share = static_cast<double>(i) / (kSteps - 1);
    colors_[i] = rgb_from_oklch(std::lerp(first.lightness, last.lightness, share),
                                std::lerp(first.chroma, last.chroma, share),
                                std::lerp(first.hue_turns, last.hue_turns, share));
  }
}

double LengthColors::place_of(Duration length) const {
  if (length <= from_) return 0;
  const auto log_over_from = [&](Duration of) {
    return std::log2(static_cast<double>(of.ticks) / static_cast<double>(from_.ticks));
  };
  return std::min(log_over_from(length) / log_over_from(to_), 1.0);
}

Duration LengthColors::length_at(double place) const {
  const auto from = static_cast<double>(from_.ticks), to = static_cast<double>(to_.ticks);
  return {std::llround(from * std::pow(to / from, place))};
}

Rgb LengthColors::color(Duration length) const {
  return colors_[static_cast<size_t>(std::lround(place_of(length) * (kSteps - 1)))];
}

}  // namespace weft::layout
