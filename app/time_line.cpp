#include "app/time_line.h"

#include <algorithm>
#include <cmath>

namespace weft::app {
namespace {

using Wide = __int128;  // picoseconds of any time there is: 63 bits of seconds and 40 of these

int64_t picoseconds_per_tick(TimeBase base) {
  constexpr int64_t kPerSecond = 1'000'000'000'000;
  constexpr int64_t kPerNanosecond = 1'000;
  const int64_t ticks = ticks_per_second(base);
  return ticks > 0 ? kPerSecond / ticks : kPerNanosecond;
}

Wide picoseconds(Time t, const OnLine& place) {
  return (Wide{t.ticks} + place.offset.ticks) * picoseconds_per_tick(place.base);
}

Wide floor_divide(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }

Time saturated(Wide ticks) {
  return {static_cast<int64_t>(std::clamp<Wide>(ticks, Time::min().ticks, Time::max().ticks))};
}

}  // namespace

Time on_line(Time t, const OnLine& from, const OnLine& to) {
  const Wide whole = floor_divide(picoseconds(t, from), picoseconds_per_tick(to.base));
  return saturated(whole - to.offset.ticks);
}

TimeRange on_line(TimeRange range, const OnLine& from, const OnLine& to) {
  const Wide per_tick = picoseconds_per_tick(to.base);
  const Wide end = -floor_divide(-picoseconds(range.end, from), per_tick);
  return {on_line(range.begin, from, to), saturated(end - to.offset.ticks)};
}

TimeWindow on_line(const TimeWindow& window, const OnLine& from, const OnLine& to) {
  const Wide per_tick = picoseconds_per_tick(to.base);
  const Wide begin = picoseconds(window.begin, from);
  const Wide whole = floor_divide(begin, per_tick);
  const double rest =
      (static_cast<double>(begin - whole * per_tick) +
       window.begin_fraction * static_cast<double>(picoseconds_per_tick(from.base))) /
      static_cast<double>(per_tick);
  TimeWindow moved;
  moved.begin = saturated(whole - to.offset.ticks);
  moved.length = ticks_on_line(window.length, from.base, to.base);
  return moved.panned(rest);
}

double ticks_on_line(double ticks, TimeBase from, TimeBase to) {
  return ticks * static_cast<double>(picoseconds_per_tick(from)) /
         static_cast<double>(picoseconds_per_tick(to));
}

}  // namespace weft::app
