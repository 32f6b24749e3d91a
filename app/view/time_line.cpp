#include "app/view/time_line.h"

namespace weft::app {
namespace {

// A time has 63 bits of seconds and 40 of these.
int64_t picoseconds_per_tick(TimeBase base) {
  constexpr int64_t kPerSecond = 1'000'000'000'000;
  constexpr int64_t kPerNanosecond = 1'000;
  const int64_t ticks = ticks_per_second(base);
  return ticks > 0 ? kPerSecond / ticks : kPerNanosecond;
}

Wide floor_divide(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }

// x * to / from, to the nearest.
Wide stretched(Wide x, int64_t from, int64_t to) {
  const Wide whole = floor_divide(x, from);
  return whole * to + ((x - whole * from) * to + from / 2) / from;
}

Wide picoseconds(Time t, const OnLine& place) {
  const int64_t per_tick = picoseconds_per_tick(place.base);
  return stretched(Wide{t.ticks} * per_tick, place.rate.own, place.rate.line) +
         Wide{place.offset.ticks} * per_tick;
}

// Picoseconds of the trace's own clock.
Wide own_picoseconds(Wide on_line, const OnLine& place) {
  const Wide moved = on_line - Wide{place.offset.ticks} * picoseconds_per_tick(place.base);
  return stretched(moved, place.rate.line, place.rate.own);
}

}  // namespace

Time on_line(Time t, const OnLine& from, const OnLine& to) {
  const Wide own = own_picoseconds(picoseconds(t, from), to);
  return {saturated(floor_divide(own, picoseconds_per_tick(to.base)))};
}

Duration shift_of(Time t, const OnLine& place) { return on_line(t, place, {place.base, {}}) - t; }

OnLine shifted(OnLine place, Time t, Duration shift) {
  place.offset = place.offset + shift - shift_of(t, place);
  return place;
}

TimeRange on_line(TimeRange range, const OnLine& from, const OnLine& to) {
  const Wide end = own_picoseconds(picoseconds(range.end, from), to);
  return {on_line(range.begin, from, to),
          {saturated(-floor_divide(-end, picoseconds_per_tick(to.base)))}};
}

TimeWindow on_line(const TimeWindow& window, const OnLine& from, const OnLine& to) {
  const Wide per_tick = picoseconds_per_tick(to.base);
  const Wide begin = own_picoseconds(picoseconds(window.begin, from), to);
  const Wide whole = floor_divide(begin, per_tick);
  const double rest = static_cast<double>(begin - whole * per_tick) / static_cast<double>(per_tick);
  TimeWindow moved;
  moved.begin = {saturated(whole)};
  moved.length = ticks_on_line(window.length, from, to);
  return moved.panned(rest + ticks_on_line(window.begin_fraction, from, to));
}

double ticks_on_line(double ticks, const OnLine& from, const OnLine& to) {
  return ticks * static_cast<double>(picoseconds_per_tick(from.base)) /
         static_cast<double>(picoseconds_per_tick(to.base)) *
         (from.rate.factor() / to.rate.factor());
}

}  // namespace weft::app
