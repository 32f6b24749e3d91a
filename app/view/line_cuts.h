// Cuts for a time line that several traces share: stretches in which none of them has any event.
//
//   A        ██  ██ ........................ ██     A's own cuts: the dots
//   B        .......... ██ ............ ██ ..       B has nothing before its first event, …
//   the line ██  ██ ... ██ ............ ██ . ██     … so that what is cut is cut in both
//
// The cuts of each trace are the same stretches in its own ticks. They begin and end at whole ticks
// of the coarsest trace, so that folded times stay together however many cuts there are. A LineCuts
// is kept from frame to frame; it knows of the traces only what it is told.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "app/view/time_line.h"
#include "core/base/time.h"
#include "core/base/time_cuts.h"

namespace weft::app {

// A trace's place on the line, and its stretches without events.
struct IdleTrace {
  OnLine place;
  TimeRange range;                       // the whole trace; nothing happens outside it
  std::shared_ptr<const TimeCuts> idle;  // stretches without events; null: not known yet
  bool operator==(const IdleTrace&) const = default;
};

// The stretches of at least `least`, between the first begin and the last end, in which no trace
// has any event, in ticks of the trace at index `coarsest`. O(traces · stretches).
std::vector<TimeRange> common_idle(std::span<const IdleTrace> traces, size_t coarsest,
                                   Duration least);

class LineCuts {
 public:
  // The cuts of each trace, in the order of `traces`; all null until every trace's idle time is
  // known. `least_ps`: the shortest stretch to cut, in picoseconds of the line. Returns the same
  // pointers while nothing changes.
  const std::vector<std::shared_ptr<const TimeCuts>>& find(std::vector<IdleTrace> traces,
                                                           double least_ps);

 private:
  std::vector<IdleTrace> traces_;
  double least_ps_ = 0;
  std::vector<std::shared_ptr<const TimeCuts>> cuts_;
};

}  // namespace weft::app
