#include "core/query/metrics/selection_statistics.h"

#include "core/query/metrics/percentiles.h"

namespace weft::query {

std::optional<SelectionStatistics> measure_selection(const store::Trace& trace,
                                                     const Selection& selection, const Work& work) {
  const Metric& duration = *metric_from_id("duration");
  const auto measure = [&](GroupBy by) {
    Statistics statistics = duration.measure(trace, selection, by, work);
    add_percentiles(trace, selection, by, duration, statistics, work);
    return statistics;
  };
  SelectionStatistics result{measure(GroupBy::kType), measure(GroupBy::kLane)};
  if (work.stop.stop_requested()) return std::nullopt;
  return result;
}

}  // namespace weft::query
