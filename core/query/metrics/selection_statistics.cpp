#include "core/query/metrics/selection_statistics.h"

namespace weft::query {

std::optional<SelectionStatistics> measure_selection(const store::Trace& trace,
                                                     const Selection& selection, const Work& work) {
  const Metric& duration = *metric_from_id("duration");
  SelectionStatistics result{duration.measure(trace, selection, GroupBy::kType, work),
                             duration.measure(trace, selection, GroupBy::kLane, work)};
  if (work.stop.stop_requested()) return std::nullopt;
  return result;
}

}  // namespace weft::query
