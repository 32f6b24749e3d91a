// The part of a trace's time that all panels show: its begin and length, with fractions of a tick,
// so that a view of a few ticks still moves smoothly.
//
// A plain value, independent of pixels. Positions inside it are fractions: 0 is its begin, 1 its
// end. In windows longer than 65,536 ticks, a fraction of a tick is not visible and is dropped.
#pragma once

#include "core/base/time.h"

namespace weft::app {

struct TimeWindow {
  Time begin;
  double begin_fraction = 0;  // of a tick, [0, 1): added to begin
  double length = 1;          // ticks, > 0

  // A range shorter than kMinTicks is centred in a window of that length.
  static TimeWindow from_range(TimeRange range);
  // The whole trace with empty margins at both ends, so that the first and last events are fully
  // visible and no column with events is cut off by the picture's border.
  static TimeWindow all_of(TimeRange trace);
  // The event with a margin of `margin` ticks at both ends, as far as the trace reaches, so that
  // what comes before and after it is visible, too.
  static TimeWindow around(TimeRange event, double margin, TimeRange trace);

  // The range of whole ticks that the window touches.
  TimeRange range() const;
  // Rounded down to a tick; saturating.
  Time time_from_fraction(double fraction) const;
  double fraction_from_time(Time t) const;

  // The window moved by `ticks`.
  TimeWindow panned(double ticks) const;
  // The window zoomed; `factor` > 1 zooms in. The time at `at_fraction` keeps its place.
  TimeWindow zoomed(double factor, double at_fraction) const;
  // Like zoomed(), but only to lengths that clamped() accepts: at the limit, nothing moves.
  TimeWindow zoomed_within(TimeRange trace, double least, double factor, double at_fraction) const;
  // A close-up of an event: with a margin of an eighth of its length or, if it has no length, in a
  // tenth of this window.
  TimeWindow zoomed_to(TimeRange event, TimeRange trace) const;
  // The window, moved if necessary, so that the begin of `range` is visible, and all of it if there
  // is room; not beyond the trace's ends.
  TimeWindow revealing(TimeRange range, TimeRange trace) const;
  // The window, moved if necessary, to lie within the trace or, if it is longer, to contain it.
  TimeWindow within(TimeRange trace) const;
  // The window limited to at least `least` ticks, at most twice the trace's length, and some part
  // of the trace.
  TimeWindow clamped(TimeRange trace, double least = kMinTicks) const;

  bool operator==(const TimeWindow&) const = default;
  // Whether both look the same at any width of the picture. Windows converted from one trace's time
  // line to another's and back are no longer exactly equal.
  bool looks_like(const TimeWindow& other) const;

  static constexpr double kMinTicks = 4;
};

// The window between two: `from` at t = 0, `to` at t = 1. A time at the same fraction of both keeps
// its place.
TimeWindow interpolate(const TimeWindow& from, const TimeWindow& to, double t);

}  // namespace weft::app
