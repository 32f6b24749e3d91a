#include "core/query/metrics/selection_statistics.h"

#include <utility>

#include "core/query/metrics/count_metric.h"
#include "core/query/metrics/value_metric.h"

namespace weft::query {

using trace::Category;

const Metric* value_metric_of(Category category) {
  if (category == Category::kState) return metric_from_id("duration");
  if (category == Category::kLink) return metric_from_id("latency");
  return nullptr;
}

std::optional<SelectionStatistics> measure_selection(const store::Trace& trace,
                                                     const Selection& selection, Category category,
                                                     GroupBy by, const Work& work) {
  SelectionStatistics result;
  if (category == Category::kVariable) {
    auto variables = measure_variables(trace, selection, by, work);
    if (!variables) return std::nullopt;
    result.variables = std::move(*variables);
    return result;
  }
  if (category != Category::kState) {
    const auto takes_row = [&](const store::Row& row) { return category_of(row.kind) == category; };
    result.counts = measure_values(trace, selection, by, work, takes_row, count_value);
  }
  if (const Metric* const metric = value_metric_of(category))
    result.values = metric->measure(trace, selection, by, work);
  if (work.stop.stop_requested()) return std::nullopt;
  return result;
}

std::optional<double> rate_of(uint64_t count, TimeRange range, TimeBase base) {
  const auto second = static_cast<double>(ticks_per_second(base));
  if (second == 0 || range.is_empty()) return std::nullopt;
  return static_cast<double>(count) * second / static_cast<double>(range.length().ticks);
}

}  // namespace weft::query
