#include "core/layout/length_ticks.h"

#include <algorithm>
#include <array>

#include "core/layout/ruler.h"

namespace weft::layout {
namespace {

constexpr double kGapPx = 14;    // between labels
constexpr size_t kFewTicks = 3;  // fewer say too little

using Lengths = std::vector<int64_t>;

double distance(int64_t from, int64_t to) {
  return static_cast<double>(to) - static_cast<double>(from);
}

// Of every `stride`-th power of ten, these multiples that lie in [first, last].
Lengths round_lengths(int64_t first, int64_t last, std::span<const int64_t> factors, int stride) {
  Lengths lengths;
  int64_t power = 1;
  for (int nth = 0;; ++nth, power *= 10) {
    for (const int64_t factor : factors) {
      const bool is_too_large = factor > last / power;
      if (nth % stride == 0 && !is_too_large && factor * power >= first)
        lengths.push_back(factor * power);
    }
    if (power == kLargestPower) return lengths;
  }
}

Lengths multiples(int64_t first, int64_t last, int64_t step) {
  Lengths lengths;
  const int64_t from = first / step + (first % step > 0 ? 1 : 0);
  for (int64_t n = from; n <= last / step; ++n) lengths.push_back(n * step);
  return lengths;
}

class Axis {
 public:
  Axis(std::span<const int64_t> borders, double width,
       const std::function<std::string(Duration)>& label_of,
       const std::function<double(std::string_view)>& width_of)
      : borders_(borders), width_(width), label_of_(label_of), width_of_(width_of) {}

  // Nothing where two labels would touch, or one reach beyond the axis' ends.
  std::vector<LengthTick> place(const Lengths& lengths) const {
    std::vector<LengthTick> ticks;
    double free_from = -kGapPx;
    for (const int64_t length : lengths) {
      LengthTick tick{length, x_of_length(borders_, width_, length), label_of_({length})};
      const double half = width_of_(tick.label) / 2;
      if (tick.x + half > width_ || tick.x - half < 0) continue;
      if (tick.x - half < free_from) return {};
      free_from = tick.x + half + kGapPx;
      ticks.push_back(std::move(tick));
    }
    return ticks;
  }

 private:
  std::span<const int64_t> borders_;
  double width_;
  const std::function<std::string(Duration)>& label_of_;
  const std::function<double(std::string_view)>& width_of_;
};

}  // namespace

double x_of_length(std::span<const int64_t> borders, double width, int64_t length) {
  const auto after = std::ranges::upper_bound(borders, length);
  if (after == borders.begin()) return 0;
  if (after == borders.end()) return width;
  const int64_t begin = *std::prev(after);
  const double within = distance(begin, length) / distance(begin, *after);
  return width * (static_cast<double>(after - borders.begin() - 1) + within) /
         static_cast<double>(borders.size() - 1);
}

std::vector<LengthTick> length_ticks(std::span<const int64_t> borders, double width,
                                     const std::function<std::string(Duration)>& label_of,
                                     const std::function<double(std::string_view)>& width_of) {
  constexpr std::array<int64_t, 3> kFactors = {1, 2, 5};
  const int64_t first = borders.front(), last = borders.back();
  const Axis axis(borders, width, label_of, width_of);
  if (distance(borders[borders.size() - 2], last) > 2 * distance(first, borders[1])) {
    if (auto ticks = axis.place(round_lengths(first, last, kFactors, 1)); ticks.size() >= kFewTicks)
      return ticks;
    for (const int stride : {1, 2, 3, 6}) {
      const Lengths powers = round_lengths(first, last, std::span(kFactors).first(1), stride);
      if (auto ticks = axis.place(powers); ticks.size() >= kFewTicks) return ticks;
    }
  }
  const double length = distance(first, last);
  // No label is narrower than the gap beside it.
  for (double least = length * kGapPx / std::max(kGapPx, width);;) {
    const int64_t step = nice_step(least).ticks;
    auto ticks = axis.place(multiples(first, last, step));
    if (!ticks.empty() || static_cast<double>(step) > length || step == kLargestPower) return ticks;
    least = static_cast<double>(step) * 1.5;
  }
}

}  // namespace weft::layout
