#include "app/view/time_window.h"

#include <algorithm>
#include <cmath>

#include "core/base/time_span.h"

namespace weft::app {
namespace {

// Ticks whose fractions cannot be seen: a screen has fewer pixels than this.
constexpr double kFineLength = 1 << 16;

// begin + fraction + ticks, with the fraction brought back into [0, 1).
TimeWindow made(Time begin, double offset_ticks, double length) {
  const double whole = std::floor(offset_ticks);
  TimeWindow window;
  window.length = std::max(length, 1e-3);
  window.begin_fraction = offset_ticks - whole;
  window.begin = time_after(begin, whole);
  if (window.length > kFineLength) {
    window.begin_fraction = 0;
    window.length = std::round(window.length);
  }
  return window;
}

double longest_in(TimeRange trace, double least) {
  return 2 * std::max(least, ticks_between(trace.begin, trace.end));
}

}  // namespace

TimeWindow TimeWindow::from_range(TimeRange range) {
  const double ticks = ticks_between(range.begin, range.end);
  return made(range.begin, std::min(0.0, std::floor((ticks - kMinTicks) / 2)),
              std::max(kMinTicks, ticks));
}

TimeWindow TimeWindow::all_of(TimeRange trace) {
  constexpr double kMargin = 1.0 / 256;  // at each end; a pixel or more where there is room for any
  return from_range(trace).zoomed(1 / (1 + 2 * kMargin), 0.5);
}

TimeWindow TimeWindow::around(TimeRange event, double margin, TimeRange trace) {
  const double before = std::min(margin, std::max(0.0, ticks_between(trace.begin, event.begin)));
  const double after = std::min(margin, std::max(0.0, ticks_between(event.end, trace.end)));
  const double length = std::max(0.0, ticks_between(event.begin, event.end)) + before + after;
  const double missing = std::max(0.0, kMinTicks - length);
  return made(event.begin, -before - missing / 2, length + missing);
}

bool TimeWindow::looks_like(const TimeWindow& other) const {
  constexpr double kLess = 1.0 / (1 << 16);  // of a window, than any pixel
  const double moved = ticks_between(begin, other.begin) + other.begin_fraction - begin_fraction;
  return std::abs(moved) <= kLess * length && std::abs(other.length - length) <= kLess * length;
}

TimeRange TimeWindow::range() const {
  return {begin, time_after(begin, std::ceil(begin_fraction + length))};
}

Time TimeWindow::time_from_fraction(double fraction) const {
  return time_after(begin, begin_fraction + fraction * length);
}

double TimeWindow::fraction_from_time(Time t) const {
  return (ticks_between(begin, t) - begin_fraction) / length;
}

TimeWindow TimeWindow::panned(double ticks) const {
  return made(begin, begin_fraction + ticks, length);
}

TimeWindow TimeWindow::zoomed(double factor, double at_fraction) const {
  const double new_length = std::max(length / factor, kMinTicks);
  return made(begin, begin_fraction + at_fraction * (length - new_length), new_length);
}

TimeWindow TimeWindow::zoomed_within(TimeRange trace, double least, double factor,
                                     double at_fraction) const {
  const double wanted = std::clamp(length / factor, std::min(least, length),
                                   std::max(longest_in(trace, least), length));
  return zoomed(length / wanted, at_fraction);
}

TimeWindow TimeWindow::zoomed_to(TimeRange event, TimeRange trace) const {
  const double event_length = ticks_between(event.begin, event.end);
  return around(event, event_length > 0 ? event_length / 8 : length / 20, trace);
}

TimeWindow TimeWindow::revealing(TimeRange range, TimeRange trace) const {
  constexpr double kMargin = 0.05;  // of the window: what lies closer to its edge is not well seen
  const double begin = fraction_from_time(range.begin);
  const double end = fraction_from_time(range.end);
  const bool has_room = end - begin <= 1 - 2 * kMargin;
  const bool is_seen = begin >= kMargin && (has_room ? end : begin) <= 1 - kMargin;
  if (is_seen) return *this;
  // Centred if there is room; otherwise starting near the left edge.
  return panned((has_room ? (begin + end - 1) / 2 : begin - 2 * kMargin) * length).within(trace);
}

TimeWindow TimeWindow::within(TimeRange trace) const {
  const double to_begin = ticks_between(begin, trace.begin) - begin_fraction;
  const double to_end = ticks_between(begin, trace.end) - begin_fraction - length;
  const auto [least, most] = std::minmax(to_begin, to_end);
  return panned(std::clamp(0.0, least, most));
}

TimeWindow TimeWindow::clamped(TimeRange trace, double least) const {
  const double whole = std::max(least, ticks_between(trace.begin, trace.end));
  const double new_length = std::clamp(length, least, longest_in(trace, least));
  const double at = ticks_between(trace.begin, begin) + begin_fraction;
  // At least a tenth of the window, or the trace's own length, stays in sight.
  const double kept = std::min(whole, new_length * 0.1);
  const double bounded = std::clamp(at, kept - new_length, whole - kept);
  if (bounded == at && new_length == length) return *this;
  return made(trace.begin, bounded, new_length);
}

TimeWindow interpolate(const TimeWindow& from, const TimeWindow& to, double t) {
  const double shift =
      ticks_between(from.begin, to.begin) + to.begin_fraction - from.begin_fraction;
  return made(from.begin, from.begin_fraction + t * shift,
              from.length + t * (to.length - from.length));
}

}  // namespace weft::app
