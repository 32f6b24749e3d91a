// What differs between two selections of two traces, by type or by lane.
//
// Types meet by name and group, lanes by path; what only one side has meets nothing. Lengths are in
// ticks of the first trace; where the second counts time in another base they are converted, and
// are no longer whole. Otherwise every figure is that of the metric (metrics.h), exact.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/query/metrics/metrics.h"

namespace weft::query {

// The figures that are compared, in this order everywhere; self is of metrics that have it.
enum class Measure : uint8_t { kCount, kTotal, kSelf, kMean, kMax };
inline constexpr size_t kMeasures = 5;

// Those that the metric has, in that order.
std::span<const Measure> measures_of(const Metric& metric);

// The figures of one side; all 0 where it has nothing of the kind.
using Figures = std::array<double, kMeasures>;

// How many ticks of A a tick of B is. An error where one clock relates to seconds and the other
// does not.
Result<double> ticks_of_a(TimeBase a, TimeBase b);

// None: of nothing there is no mean and no longest.
std::optional<double> figure_of(const Figures& figures, Measure measure);

struct Change {
  EventTypeId type_of_a = EventTypeId::none();  // by type, where A has it
  EventTypeId type_of_b = EventTypeId::none();
  Figures a{}, b{};

  double of(Measure measure) const;  // B less A
  // Of A; none where A has nothing.
  std::optional<double> percent(Measure measure) const;
};

struct Difference : Change {
  std::string name;  // of the type, or the lane's path
};

struct TraceComparison {
  TimeBase base = TimeBase::kNanoseconds;  // of all lengths
  std::vector<Difference> rows;            // largest difference of totals first, then by name
};

struct CompareSide {
  std::shared_ptr<const store::Trace> trace;
  Selection selection;
};

// An error where one clock relates to seconds and the other does not. Stopped: figures of a part.
Result<TraceComparison> compare(const CompareSide& a, const CompareSide& b, const Metric& metric,
                                GroupBy by, const Work& work);

}  // namespace weft::query
