// The part of a trace's time that all panels show: where it begins and how long it is, finer than a
// tick, so that a view of a few ticks still moves smoothly.
//
// A plain value; it knows no pixels. Positions inside it are fractions: 0 is its begin, 1 its end.
// Beyond the first few thousand ticks a fraction of a tick is no longer visible and is dropped.
#pragma once

#include "core/base/time.h"

namespace weft::app {

struct TimeWindow {
  Time begin;
  double begin_fraction = 0;  // of a tick, [0, 1): added to begin
  double length = 1;          // ticks, > 0

  // What is shorter than kMinTicks stands in the middle of so many.
  static TimeWindow from_range(TimeRange range);
  // All of a trace, between margins in which nothing lies: what begins or ends it is seen whole,
  // and the picture's border cuts off no column in which something happens.
  static TimeWindow all_of(TimeRange trace);
  // With such a margin at both ends, as far as the trace reaches, so that what comes before and
  // after an event is seen, too.
  static TimeWindow around(TimeRange event, double margin, TimeRange trace);

  // The whole ticks that it touches.
  TimeRange range() const;
  // Rounded down to a tick; saturating.
  Time time_from_fraction(double fraction) const;
  double fraction_from_time(Time t) const;

  // Moved by `ticks`.
  TimeWindow panned(double ticks) const;
  // `factor` > 1 zooms in; what lies at `at_fraction` stays where it is.
  TimeWindow zoomed(double factor, double at_fraction) const;
  // Likewise, to a length that `clamped` leaves as it is: there zooming ends, and nothing moves.
  TimeWindow zoomed_within(TimeRange trace, double least, double factor, double at_fraction) const;
  // Closer to an event: a margin of an eighth of it, or a tenth of this window where it has no
  // length.
  TimeWindow zoomed_to(TimeRange event, TimeRange trace) const;
  // Moved, where it must be, so that the range's begin is seen, and all of it if there is room; not
  // over the trace's ends.
  TimeWindow revealing(TimeRange range, TimeRange trace) const;
  // Moved, where it must be, so that nothing but the trace is in it, or all of it if there is room.
  TimeWindow within(TimeRange trace) const;
  // No shorter than `least` ticks, no longer than twice the trace, and never without any of it.
  TimeWindow clamped(TimeRange trace, double least = kMinTicks) const;

  bool operator==(const TimeWindow&) const = default;
  // To the eye, however wide the picture: windows that were carried from the time line of one trace
  // to that of another are no longer equal.
  bool looks_like(const TimeWindow& other) const;

  static constexpr double kMinTicks = 4;
};

// Between two windows: 0 is `from`, 1 is `to`. A time at the same fraction of both stays put.
TimeWindow interpolate(const TimeWindow& from, const TimeWindow& to, double t);

}  // namespace weft::app
