#include "core/layout/ruler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/clock_text.h"

namespace weft::layout {
namespace {

constexpr double kMinTickPx = 4;
constexpr double kLabelGapPx = 14;

constexpr int64_t kClockSeconds[] = {15,   30,   60,   120,   300,   600,  900,
                                     1800, 3600, 7200, 10800, 21600, 43200};

// The distances that ticks may have.
class Steps {
 public:
  explicit Steps(int64_t clock_ticks_per_second) : second_(clock_ticks_per_second) {}

  Duration at_least(double ticks) const {
    const auto second = static_cast<double>(second_);
    if (second_ == 0 || ticks <= 10 * second) return nice_step(ticks);
    for (const int64_t seconds : kClockSeconds) {
      if (static_cast<double>(seconds) * second >= ticks) return {seconds * second_};
    }
    const Duration days = nice_step(ticks / (kDaySeconds * second));
    const __int128 step = static_cast<__int128>(days.ticks) * kDaySeconds * second_;
    return {static_cast<int64_t>(std::min<__int128>(step, kLargestPower))};
  }
  Duration after(Duration step) const { return at_least(static_cast<double>(step.ticks) * 1.5); }

 private:
  int64_t second_;
};

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

// The smallest step at which neighbours do not touch.
class StepFinder {
 public:
  StepFinder(const TimeScale& scale, const RulerStyle& style) : scale_(scale), style_(style) {}

  Duration find(const Steps& steps) const {
    Duration step = steps.at_least(scale_.ticks_per_px() * kMinTickPx);
    while (step.ticks < kLargestPower && !fits(step)) step = steps.after(step);
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
      for (int64_t n = first_multiple(segment.range.begin, style_.origin, step);; ++n) {
        const Time t = time_of_multiple(n, style_.origin, step);
        if (t >= segment.range.end) break;
        if (++looks > kMostLooks) return true;
        if (style_.width_of(style_.label_of(t, step)) + kLabelGapPx > step_px) return false;
      }
    }
    return true;
  }

  const TimeScale& scale_;
  const RulerStyle& style_;
};

// Minor ticks divide a major step evenly, at a distance that is a step itself.
Duration minor_step(Duration major, const Steps& steps, const TimeScale& scale) {
  for (const int64_t parts : {12, 10, 6, 5, 4, 3, 2}) {
    if (major.ticks % parts != 0) continue;
    const Duration step{major.ticks / parts};
    if (step == steps.at_least(static_cast<double>(step.ticks)) &&
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

std::vector<RulerTick> ruler_ticks(const TimeScale& scale, const RulerStyle& style) {
  const Steps steps(style.clock_ticks_per_second);
  const Duration major = StepFinder(scale, style).find(steps);
  const Duration minor = minor_step(major, steps, scale);
  const int64_t minors_per_major = major.ticks / minor.ticks;

  std::vector<RulerTick> ticks;
  double free_from = -HUGE_VAL;  // where a label may stand; none runs over a cut
  for (const TimeScale::Segment& segment : scale.segments()) {
    Time previous = Time::min();
    for (int64_t n = first_multiple(segment.range.begin, style.origin, minor);; ++n) {
      const Time t = time_of_multiple(n, style.origin, minor);
      if (t >= segment.range.end || (previous != Time::min() && t == previous)) break;
      previous = t;
      RulerTick tick{
          .time = t, .x = scale.x_from_time(t), .is_major = n % minors_per_major == 0, .label = {}};
      if (tick.is_major && tick.x >= free_from - 0.5) {
        tick.label = style.label_of(t, major);
        const double label_end = tick.x + style.width_of(tick.label) + kLabelGapPx;
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
