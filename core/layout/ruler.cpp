#include "core/layout/ruler.h"

#include <algorithm>
#include <cmath>

#include "core/base/clock_text.h"
#include "core/base/saturating.h"

namespace weft::layout {
namespace {

constexpr double kMinTickPx = 4;
constexpr double kLabelGapPx = 14;

constexpr int64_t kClockSeconds[] = {15,   30,   60,   120,   300,   600,  900,
                                     1800, 3600, 7200, 10800, 21600, 43200};

constexpr int64_t kCalendarDays[] = {1, kWeekDays, kMonthDays, 3 * kMonthDays, 6 * kMonthDays};

// The distances that ticks may have.
class Steps {
 public:
  explicit Steps(const RulerStyle& style)
      : second_(style.clock_ticks_per_second), has_calendar_(style.calendar != nullptr) {}

  Duration at_least(double ticks) const {
    const auto second = static_cast<double>(second_);
    if (second_ == 0 || ticks <= 10 * second) return nice_step(ticks);
    for (const int64_t seconds : kClockSeconds) {
      if (static_cast<double>(seconds) * second >= ticks) return {seconds * second_};
    }
    const int64_t days = days_at_least(ticks / (kDaySeconds * second));
    const Wide step = Wide{days} * kDaySeconds * second_;
    return {static_cast<int64_t>(std::min<Wide>(step, kLargestPower))};
  }
  Duration after(Duration step) const { return at_least(static_cast<double>(step.ticks) * 1.5); }

 private:
  int64_t days_at_least(double wanted) const {
    if (!has_calendar_) return nice_step(wanted).ticks;
    for (const int64_t days : kCalendarDays) {
      if (static_cast<double>(days) >= wanted) return days;
    }
    constexpr double kMostYears = 1e6;  // more than time has
    return kYearDays * nice_step(std::min(kMostYears, wanted / kYearDays)).ticks;
  }

  int64_t second_;
  bool has_calendar_;
};

// The positions of ticks of a step.
class Grid {
 public:
  Grid(const RulerStyle& style, Duration step)
      : style_(style),
        step_(step),
        is_of_calendar_(style.calendar && step.ticks > 3600 * style.clock_ticks_per_second) {}

  // The first at or after `t`; 128 bits, as views may lie anywhere.
  Time at_or_after(Time t) const {
    if (is_of_calendar_) return style_.calendar(t, step_);
    const Wide offset = Wide{t.ticks} - style_.origin.ticks;
    Wide n = offset / step_.ticks;
    if (n * step_.ticks < offset) ++n;
    return {saturated(n * step_.ticks + style_.origin.ticks)};
  }
  bool has(Time t) const { return at_or_after(t) == t; }
  // The least distance between two ticks of the step.
  double shortest() const {
    constexpr double kFebruaryDays = 28;
    const bool has_months =
        is_of_calendar_ && step_.ticks >= kMonthDays * kDaySeconds * style_.clock_ticks_per_second;
    return has_months ? kFebruaryDays / kMonthDays : 1;
  }

  // In order, those in the range, until `visit` gives false.
  template <class Visit>
  bool for_each(TimeRange range, const Visit& visit) const {
    for (Time t = at_or_after(range.begin); t < range.end; t = at_or_after(t + Duration{1})) {
      if (!visit(t)) return false;
    }
    return true;
  }

 private:
  const RulerStyle& style_;
  Duration step_;
  bool is_of_calendar_;
};

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
    const Grid grid(style_, step);
    const double room_px = step_px * grid.shortest();
    // Between cuts no more than this many are looked at: their labels are as wide as the others'.
    constexpr int kMostLooks = 4096;
    int looks = 0;
    for (const TimeScale::Segment& segment : scale_.segments()) {
      const bool fits = grid.for_each(segment.range, [&](Time t) {
        return ++looks > kMostLooks ||
               style_.width_of(style_.label_of(t, step)) + kLabelGapPx <= room_px;
      });
      if (!fits) return false;
      if (looks > kMostLooks) return true;
    }
    return true;
  }

  const TimeScale& scale_;
  const RulerStyle& style_;
};

// Minor ticks divide a major step evenly, at a distance that is a step itself.
Duration minor_step(Duration major, const Steps& steps, const TimeScale& scale) {
  for (const int64_t parts : {12, 10, 7, 6, 5, 4, 3, 2}) {
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
  const Steps steps(style);
  const Duration major = StepFinder(scale, style).find(steps);
  const Grid majors(style, major);
  const Grid minors(style, minor_step(major, steps, scale));

  std::vector<RulerTick> ticks;
  double free_from = -HUGE_VAL;  // where a label may stand; none runs over a cut
  for (const TimeScale::Segment& segment : scale.segments()) {
    minors.for_each(segment.range, [&](Time t) {
      RulerTick tick{.time = t, .x = scale.x_from_time(t), .is_major = majors.has(t), .label = {}};
      if (tick.is_major && tick.x >= free_from - 0.5) {
        tick.label = style.label_of(t, major);
        const double label_end = tick.x + style.width_of(tick.label) + kLabelGapPx;
        const bool has_room = segment.range.end == scale.view().end || label_end <= segment.x1;
        if (has_room) free_from = label_end;
        if (!has_room) tick.label.clear();
      }
      ticks.push_back(std::move(tick));
      return true;
    });
  }
  return ticks;
}

}  // namespace weft::layout
