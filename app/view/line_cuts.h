// How time is cut that several traces share: where none of them has anything.
//
//   A        ██  ██ ........................ ██     A's own cuts: the dots
//   B        .......... ██ ............ ██ ..       B has nothing before its first event, …
//   the line ██  ██ ... ██ ............ ██ . ██     … so that what is cut is cut in both
//
// Each trace's cuts are the same stretches in its own ticks, to the tick: they begin and end at
// whole ticks of the coarsest trace, so that folded times stay together however many cuts there
// are. Kept from frame to frame; what it knows of the traces is what the session tells.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/view/time_line.h"
#include "core/base/time.h"
#include "core/base/time_cuts.h"

namespace weft::app {

// A trace on the line, and where nothing happens in it.
struct IdleTrace {
  OnLine place;
  TimeRange range;                       // of the trace; outside of it nothing happens
  std::shared_ptr<const TimeCuts> idle;  // null: not known yet
  bool operator==(const IdleTrace&) const = default;
};

// In ticks of the trace at `coarsest`: the stretches of at least `least` in which none of them has
// anything, between the first begin and the last end. O(traces · stretches).
std::vector<TimeRange> common_idle(std::span<const IdleTrace> traces, size_t coarsest,
                                   Duration least);

class LineCuts {
 public:
  // The cuts of each trace, in their order; null where that of any is not known yet. `least`: on
  // the line's shortest stretch, in picoseconds. The same pointers while nothing changes.
  const std::vector<std::shared_ptr<const TimeCuts>>& find(std::vector<IdleTrace> traces,
                                                           double least_ps);

 private:
  std::vector<IdleTrace> traces_;
  double least_ps_ = 0;
  std::vector<std::shared_ptr<const TimeCuts>> cuts_;
};

}  // namespace weft::app
