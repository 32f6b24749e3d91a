// What a selected range adds up to, for panels that show events of one category at a time: how long
// states run, how many punctual events there are, how long links take, which values variables have.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/query/metrics/metrics.h"
#include "core/query/metrics/variable_figures.h"
#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

struct SelectionStatistics {
  Statistics counts;                       // of punctual events and links: how many
  Statistics values;                       // of states: time in them; of links: latencies
  std::vector<VariableFigures> variables;  // of variables
};

// The metric of SelectionStatistics::values; null if the category has none.
const Metric* value_metric_of(trace::Category category);

// `by`: pairs have links only. Links count by their sender or, if that is missing, their receiver;
// latencies have those with both ends. Returns nullopt if stopped.
std::optional<SelectionStatistics> measure_selection(const store::Trace& trace,
                                                     const Selection& selection,
                                                     trace::Category category, GroupBy by,
                                                     const Work& work);

// Returns how many of `count` there are in a second of the range; nullopt if the trace's clock does
// not count seconds, or the range is empty.
std::optional<double> rate_of(uint64_t count, TimeRange range, TimeBase base);

}  // namespace weft::query
