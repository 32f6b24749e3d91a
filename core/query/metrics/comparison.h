// Compares two selections of two traces, by type or by lane.
//
// Types are matched by name and group, lanes by path; some exist on one side only. Lengths are in
// ticks of the first trace; if the second uses another time base, they are converted and no longer
// integers. Otherwise every figure is that of the metric (metrics.h), exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/query/metrics/metrics.h"

namespace weft::query {

// The figures that are compared, always in this order; kSelf only for metrics that have it.
enum class Measure : uint8_t { kCount, kTotal, kSelf, kMean, kMax };
inline constexpr size_t kMeasures = 5;

// Returns the figures that the metric has, in that order.
std::span<const Measure> measures_of(const Metric& metric);

// Those of them that say something: of what only counts, the number alone.
std::span<const Measure> telling_measures(const Metric& metric);

// The figures of one side; all 0 if the type or lane is absent.
using Figures = std::array<double, kMeasures>;

inline double& figure(Figures& figures, Measure measure) {
  return figures[static_cast<size_t>(measure)];
}
// Adds what was counted (a Group or a FlameNode), its ticks scaled: several of one trace may have
// one name.
void add(Figures& figures, const auto& counted, double scale) {
  const double count = figure(figures, Measure::kCount) += static_cast<double>(counted.count);
  const double total = figure(figures, Measure::kTotal) +=
      static_cast<double>(counted.total) * scale;
  figure(figures, Measure::kSelf) += static_cast<double>(counted.self) * scale;
  figure(figures, Measure::kMean) = count > 0 ? total / count : 0;
  figure(figures, Measure::kMax) =
      std::max(figure(figures, Measure::kMax), static_cast<double>(counted.max) * scale);
}

// Returns the ticks of A per tick of B. Fails if only one of the clocks relates to seconds.
Result<double> ticks_of_a(TimeBase a, TimeBase b);

// Returns a figure; nullopt for mean and maximum of nothing.
std::optional<double> figure_of(const Figures& figures, Measure measure);

struct Change {
  EventTypeId type_of_a = EventTypeId::none();  // by type, if A has it
  EventTypeId type_of_b = EventTypeId::none();
  Figures a{}, b{};

  double of(Measure measure) const;  // B minus A
  // The change in per cent of A; nullopt if A has nothing.
  std::optional<double> percent(Measure measure) const;
};

struct Difference : Change {
  std::string name;  // the type's name or the lane's path
};

struct TraceComparison {
  TimeBase base = TimeBase::kNanoseconds;  // of all lengths
  std::vector<Difference> rows;            // largest difference of totals first, then by name
};

struct CompareSide {
  store::TracePtr trace;
  Selection selection;
};

// Fails if only one of the clocks relates to seconds. If stopped, the figures are partial.
Result<TraceComparison> compare(const CompareSide& a, const CompareSide& b, const Metric& metric,
                                GroupBy by, const Work& work);

}  // namespace weft::query
