#include "core/layout/length_ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "core/layout/ruler.h"

namespace weft::layout {
namespace {

constexpr double kGapPx = 14;    // between labels
constexpr size_t kFewTicks = 3;  // fewer say too little

using Lengths = std::vector<int64_t>;

double gap(int64_t from, int64_t to) { return static_cast<double>(to) - static_cast<double>(from); }

// Returns the given multiples of every `stride`-th power of ten within [first, last].
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

// Places labels; fails if two would touch, or one exceed the axis.
class Placer {
 public:
  Placer(const LengthAxis& axis, const std::function<std::string(Duration)>& label_of,
         const std::function<double(std::string_view)>& width_of)
      : axis_(axis), label_of_(label_of), width_of_(width_of) {
    if (!axis.has_zero_apart()) return;
    const auto [x0, x1] = axis.bin(0);
    zero_ = {0, (x0 + x1) / 2, label_of_({0})};
    const double half = width_of_(zero_->label) / 2;
    zero_->x = std::max(zero_->x, half);
    free_from_ = zero_->x + half + kGapPx;
  }

  std::vector<LengthTick> place(const Lengths& lengths) const {
    std::vector<LengthTick> ticks;
    if (zero_) ticks.push_back(*zero_);
    double free_from = free_from_;
    for (const int64_t length : lengths) {
      LengthTick tick{length, axis_.x_of_mark(length), label_of_({length})};
      const double half = width_of_(tick.label) / 2;
      const bool hides_zero = zero_ && tick.x - half < free_from_;
      if (tick.x + half > axis_.width() || tick.x - half < 0 || hides_zero) continue;
      if (tick.x - half < free_from) return {};
      free_from = tick.x + half + kGapPx;
      ticks.push_back(std::move(tick));
    }
    return ticks;
  }

 private:
  const LengthAxis& axis_;
  const std::function<std::string(Duration)>& label_of_;
  const std::function<double(std::string_view)>& width_of_;
  std::optional<LengthTick> zero_;  // below the bin of 0, where it stands apart
  double free_from_ = -kGapPx;
};

}  // namespace

LengthAxis::LengthAxis(std::span<const int64_t> borders, double width, bool is_logarithmic)
    : borders_(borders), width_(width), is_logarithmic_(is_logarithmic) {
  constexpr double kZeroShare = 0.02;  // of the width: the bin of 0, and the gap behind it
  const bool is_zero_apart = is_logarithmic && borders.front() == 0 && borders.size() > 2;
  if (!is_zero_apart) return;
  first_ = 1;
  first_x_ = 2 * kZeroShare * width;
}

double LengthAxis::x_of_border(size_t border) const {
  if (border < first_) return 0;
  const auto share = [&](auto value, auto first, auto last) {
    return first_x_ + (width_ - first_x_) * (value - first) / (last - first);
  };
  const bool has_powers = is_logarithmic_ && borders_[first_] > 0;
  if (!has_powers)
    return share(static_cast<double>(border), static_cast<double>(first_),
                 static_cast<double>(borders_.size() - 1));
  const auto log = [&](size_t of) { return std::log(static_cast<double>(borders_[of])); };
  return share(log(border), log(first_), log(borders_.size() - 1));
}

double LengthAxis::x_of(int64_t length) const {
  const auto after = std::ranges::upper_bound(borders_, length);
  if (after == borders_.begin()) return 0;
  if (after == borders_.end()) return width_;
  const auto at = static_cast<size_t>(after - borders_.begin()) - 1;
  const auto [x0, x1] = bin(at);
  if (at < first_) return (x0 + x1) / 2;
  const int64_t begin = borders_[at];
  const double within = is_logarithmic_ && begin > 0
                            ? std::log(static_cast<double>(length) / static_cast<double>(begin)) /
                                  std::log(static_cast<double>(*after) / static_cast<double>(begin))
                            : gap(begin, length) / gap(begin, *after);
  return x0 + (x1 - x0) * within;
}

double LengthAxis::x_of_mark(int64_t length) const {
  const auto after = std::ranges::upper_bound(borders_, length);
  const bool is_alone =
      after != borders_.begin() && after != borders_.end() && *after - *std::prev(after) == 1;
  if (!is_alone) return x_of(length);
  const auto [x0, x1] = bin(static_cast<size_t>(after - borders_.begin()) - 1);
  return (x0 + x1) / 2;
}

LengthAxis::Span LengthAxis::bin(size_t bin) const {
  if (bin < first_) return {0, first_x_ / 2};
  return {x_of_border(bin), x_of_border(bin + 1)};
}

std::vector<LengthTick> length_ticks(const LengthAxis& axis,
                                     const std::function<std::string(Duration)>& label_of,
                                     const std::function<double(std::string_view)>& width_of) {
  constexpr std::array<int64_t, 3> kFactors = {1, 2, 5};
  constexpr std::array<int64_t, 2> kThirds = {1, 3};
  const std::span<const int64_t> borders = axis.borders();
  const int64_t first = borders[axis.has_zero_apart() ? 1 : 0], last = borders.back();
  const Placer placer(axis, label_of, width_of);
  const bool widens = axis.is_logarithmic() ||
                      gap(borders[borders.size() - 2], last) > 2 * gap(borders[0], borders[1]);
  std::vector<LengthTick> best;
  const auto try_with = [&](const Lengths& lengths) {
    auto ticks = placer.place(lengths);
    if (ticks.size() > best.size()) best = std::move(ticks);
    return best.size() >= kFewTicks;
  };
  if (widens) {
    if (try_with(round_lengths(first, last, kFactors, 1))) return best;
    if (try_with(round_lengths(first, last, kThirds, 1))) return best;
    for (const int stride : {1, 2, 3, 6}) {
      if (try_with(round_lengths(first, last, std::span(kFactors).first(1), stride))) return best;
    }
  }
  const double length = gap(first, last);
  // No label is narrower than the gap beside it.
  for (double least = length * kGapPx / std::max(kGapPx, axis.width());;) {
    const int64_t step = nice_step(least).ticks;
    auto ticks = placer.place(multiples(first, last, step));
    if (!ticks.empty() || static_cast<double>(step) > length || step == kLargestPower)
      return ticks.size() > best.size() ? ticks : best;
    least = static_cast<double>(step) * 1.5;
  }
}

std::vector<double> round_values(double most, bool are_whole) {
  constexpr int kMost = 4;
  std::vector<double> values;
  if (!(most > 0) || !std::isfinite(most)) return values;
  const double power = std::pow(10, std::floor(std::log10(most)) - 1);
  for (const double factor : {2, 5, 10, 20, 50}) {
    const double step = are_whole ? std::max(1.0, factor * power) : factor * power;
    if (step * (kMost + 1) <= most) continue;
    for (int i = 1; step * i <= most; ++i) values.push_back(step * i);
    return values;
  }
  return values;
}

std::vector<double> spread(std::span<const SpreadLabel> labels, double width, double gap) {
  std::vector<double> lefts;
  double free_from = 0;
  for (const SpreadLabel& label : labels) {
    lefts.push_back(std::max(free_from, label.center - label.width / 2));
    free_from = lefts.back() + label.width + gap;
  }
  double end = width;
  for (size_t i = labels.size(); i-- > 0;) {
    lefts[i] = std::min(lefts[i], end - labels[i].width);
    end = lefts[i] - gap;
  }
  return lefts;
}

}  // namespace weft::layout
