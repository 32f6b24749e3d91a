#include "core/layout/ruler.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::layout {
namespace {

constexpr double kMinTickPx = 4;
constexpr double kLabelGapPx = 14;

// The next of 1, 2, 5, 10, 20 … after a nice step.
Duration next_nice(Duration step) { return nice_step(static_cast<double>(step.ticks) * 1.5); }

// Multiples of `step` from `origin` on; 128 bits, as views may lie anywhere.
int64_t first_multiple(Time begin, Time origin, Duration step) {
  const __int128 offset = static_cast<__int128>(begin.ticks) - origin.ticks;
  __int128 n = offset / step.ticks;
  if (n * step.ticks < offset) ++n;
  return static_cast<int64_t>(n);
}

Time time_of_multiple(int64_t n, Time origin, Duration step) {
  const __int128 ticks = static_cast<__int128>(n) * step.ticks + origin.ticks;
  constexpr __int128 kLow = std::numeric_limits<int64_t>::min();
  constexpr __int128 kHigh = std::numeric_limits<int64_t>::max();
  return {static_cast<int64_t>(std::clamp(ticks, kLow, kHigh))};
}

class Labels {
 public:
  Labels(const TimeScale& scale, Time origin, TimeBase base,
         const std::function<double(std::string_view)>& width_of)
      : scale_(scale), origin_(origin), base_(base), width_of_(width_of) {}

  std::string at(Time t, Duration step) const {
    return format_time(Time{(t - origin_).ticks}, base_, scale_.view().length(), step);
  }
  // The smallest step at which neighbours do not touch.
  Duration smallest_fitting_step() const {
    Duration step = nice_step(scale_.ticks_per_px() * kMinTickPx);
    while (step.ticks < kLargestPower && !fits(step)) step = next_nice(step);
    return step;
  }

 private:
  bool fits(Duration step) const {
    const double step_px = scale_.px_from_duration(step);
    if (step_px >= scale_.width_px()) return true;
    if (step_px < 2 * kLabelGapPx) return false;
    // Between cuts no more than this many are looked at: their labels are as wide as the others'.
    constexpr int kMostLooks = 4096;
    int looks = 0;
    for (const TimeScale::Segment& segment : scale_.segments()) {
      for (int64_t n = first_multiple(segment.range.begin, origin_, step);; ++n) {
        const Time t = time_of_multiple(n, origin_, step);
        if (t >= segment.range.end) break;
        if (++looks > kMostLooks) return true;
        if (width_of_(at(t, step)) + kLabelGapPx > step_px) return false;
      }
    }
    return true;
  }

  const TimeScale& scale_;
  Time origin_;
  TimeBase base_;
  const std::function<double(std::string_view)>& width_of_;
};

// Minor ticks divide a major step evenly: in five, or in two or four where it begins with a 2.
Duration minor_step(Duration major, const TimeScale& scale) {
  for (const int64_t parts : {10, 5, 4, 2}) {
    if (major.ticks % parts != 0) continue;
    const Duration step{major.ticks / parts};
    if (step == nice_step(static_cast<double>(step.ticks)) &&
        scale.px_from_duration(step) >= kMinTickPx) {
      return step;
    }
  }
  return major;
}

}  // namespace

Duration nice_step(double ticks) {
  for (int64_t power = 1; power < kLargestPower; power *= 10) {
    for (const int64_t factor : {1, 2, 5}) {
      if (static_cast<double>(factor * power) >= ticks) return {factor * power};
    }
  }
  return {kLargestPower};
}

std::vector<RulerTick> ruler_ticks(const TimeScale& scale, Time origin, TimeBase base,
                                   const std::function<double(std::string_view)>& width_of) {
  const Labels labels(scale, origin, base, width_of);
  const Duration major = labels.smallest_fitting_step();
  const Duration minor = minor_step(major, scale);
  const int64_t minors_per_major = major.ticks / minor.ticks;

  std::vector<RulerTick> ticks;
  double free_from = -HUGE_VAL;  // where a label may stand; none runs over a cut
  for (const TimeScale::Segment& segment : scale.segments()) {
    Time previous = Time::min();
    for (int64_t n = first_multiple(segment.range.begin, origin, minor);; ++n) {
      const Time t = time_of_multiple(n, origin, minor);
      if (t >= segment.range.end || (previous != Time::min() && t == previous)) break;
      previous = t;
      RulerTick tick{
          .time = t, .x = scale.x_from_time(t), .is_major = n % minors_per_major == 0, .label = {}};
      if (tick.is_major && tick.x >= free_from - 0.5) {
        tick.label = labels.at(t, major);
        const double label_end = tick.x + width_of(tick.label) + kLabelGapPx;
        const bool has_room = segment.range.end == scale.view().end || label_end <= segment.x1;
        if (has_room) free_from = label_end;
        if (!has_room) tick.label.clear();
      }
      ticks.push_back(std::move(tick));
    }
  }
  return ticks;
}

}  // namespace weft::layout
