#include "app/view/eased_window.h"

#include <algorithm>
#include <cmath>

#include "core/base/time_span.h"

namespace weft::app {
namespace {

constexpr double kEaseSeconds = 0.045;  // to cover 63 % of the way
constexpr double kLongestStep = 0.1;

// Both edges within a third of a pixel on a screen of 3000.
bool looks_like(const TimeWindow& a, const TimeWindow& b) {
  constexpr double kNear = 1e-4;
  const double begin = b.fraction_from_time(a.begin) + a.begin_fraction / b.length;
  return std::fabs(begin) < kNear && std::fabs(begin + a.length / b.length - 1) < kNear;
}

// Whether more lies between them than either shows: the eye could follow nothing on the way.
bool are_far_apart(const TimeWindow& a, const TimeWindow& b) {
  const double later = ticks_between(a.begin, b.begin);
  const double between = later > 0 ? later - a.length : -later - b.length;
  return between > std::max(a.length, b.length);
}

}  // namespace

void EasedWindow::step(const TimeWindow& target, uint64_t trace_id, double seconds,
                       bool is_direct) {
  const bool jumps =
      seconds <= 0 || is_direct || trace_id_ != trace_id || are_far_apart(shown_, target);
  trace_id_ = trace_id;
  is_moving_ = false;
  if (jumps || shown_ == target) {
    shown_ = target;
    return;
  }
  const double t = 1 - std::exp(-std::min(seconds, kLongestStep) / kEaseSeconds);
  const TimeWindow next = interpolate(shown_, target, t);
  is_moving_ = !looks_like(next, target);
  shown_ = is_moving_ ? next : target;
}

}  // namespace weft::app
