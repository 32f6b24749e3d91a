// Figures of variables over a selection: the samples in the range, and the mean, least, greatest
// and last of the values that hold in it.
//
// A sample holds until the next of its variable on its lane, or until the end of the trace; the
// mean is weighted by the ticks for which values hold within the range. The sample before the range
// is not counted, but its value holds until the first sample in it. What a filter leaves out is not
// counted and holds nothing, but ends what was there before. A value that is not a number stands
// for none.
//
// Cost: every sample of the selected rows in the range is read once, on all threads of the pool.
// Sums have 64 bits of precision: means of whole numbers are exact.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "core/query/metrics/metrics.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

struct VariableFigures {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  EventTypeId variable;
  LaneId lane = LaneId::none();  // none(): of all lanes
  uint64_t count = 0;            // samples in the range
  // kNone where there is no value.
  double mean = kNone, min = kNone, max = kNone;
  double last = kNone;  // of the last sample; of several at one time, that of the lane listed last
};

// By type: one for each variable; by lane: for each variable of each lane. Only those of which
// something lies in the range; most samples first, then by variable and lane. Nothing by pair.
// Returns nullopt if stopped.
std::optional<std::vector<VariableFigures>> measure_variables(const store::Trace& trace,
                                                              const Selection& selection,
                                                              GroupBy by, const Work& work);

}  // namespace weft::query
