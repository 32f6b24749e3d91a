#include "core/query/metrics/comparison.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "core/trace/type_names.h"

namespace weft::query {
namespace {

// The key by which groups of two traces are matched.
std::string key_of(const trace::Dictionary& dictionary, GroupBy by, uint32_t id) {
  if (by == GroupBy::kLane) return dictionary.path_text(LaneId(id));
  return trace::key_of(dictionary.types[id]);
}

std::string name_of(const trace::Dictionary& dictionary, GroupBy by, uint32_t id) {
  return by == GroupBy::kLane ? dictionary.path_text(LaneId(id))
                              : std::string(dictionary.types[id].name);
}

}  // namespace

Result<double> ticks_of_a(TimeBase a, TimeBase b) {
  if (a == b) return 1.0;
  const int64_t per_second_a = ticks_per_second(a), per_second_b = ticks_per_second(b);
  if (per_second_a > 0 && per_second_b > 0) {
    return static_cast<double>(per_second_a) / static_cast<double>(per_second_b);
  }
  return fail(
      fmt::format("times in {} cannot be compared with times in {}", name_of(a), name_of(b)));
}

std::span<const Measure> measures_of(const Metric& metric) {
  using enum Measure;
  static constexpr Measure kAll[] = {kCount, kTotal, kSelf, kMean, kMax};
  static constexpr Measure kWithoutSelf[] = {kCount, kTotal, kMean, kMax};
  static_assert(std::size(kAll) == kMeasures);
  return metric.has_self ? std::span<const Measure>(kAll) : kWithoutSelf;
}

std::span<const Measure> telling_measures(const Metric& metric) {
  static constexpr Measure kCount[] = {Measure::kCount};
  return metric.only_counts ? std::span<const Measure>(kCount) : measures_of(metric);
}

std::optional<double> figure_of(const Figures& figures, Measure measure) {
  const bool is_nothing = figures[static_cast<size_t>(Measure::kCount)] == 0;
  if (is_nothing && measure >= Measure::kMean) return std::nullopt;
  return figures[static_cast<size_t>(measure)];
}

double Change::of(Measure measure) const {
  const auto i = static_cast<size_t>(measure);
  return b[i] - a[i];
}

std::optional<double> Change::percent(Measure measure) const {
  const double before = a[static_cast<size_t>(measure)];
  if (before == 0) return std::nullopt;
  return of(measure) / before * 100;  // exactly -100 where nothing is left
}

Result<TraceComparison> compare(const CompareSide& a, const CompareSide& b, const Metric& metric,
                                GroupBy by, const Work& work) {
  const trace::Dictionary& names_a = a.trace->dictionary();
  const trace::Dictionary& names_b = b.trace->dictionary();
  double scale = 1;
  if (metric.is_time) {
    WEFT_TRY_ASSIGN(scale, ticks_of_a(names_a.time_base, names_b.time_base));
  }
  const Statistics of_a = metric.measure(*a.trace, a.selection, by, work);
  const Statistics of_b = metric.measure(*b.trace, b.selection, by, work);
  std::map<std::string, Difference> rows;
  for (const Group& group : of_a.groups) {
    Difference& row = rows[key_of(names_a, by, group.id)];
    row.name = name_of(names_a, by, group.id);
    if (by == GroupBy::kType) row.type_of_a = EventTypeId(group.id);
    add(row.a, group, 1);
  }
  for (const Group& group : of_b.groups) {
    Difference& row = rows[key_of(names_b, by, group.id)];
    row.name = name_of(names_b, by, group.id);
    if (by == GroupBy::kType) row.type_of_b = EventTypeId(group.id);
    add(row.b, group, scale);
  }
  TraceComparison comparison;
  comparison.base = names_a.time_base;
  for (auto& [key, row] : rows) comparison.rows.push_back(std::move(row));
  std::ranges::stable_sort(comparison.rows, std::ranges::greater(), [](const Difference& row) {
    return std::fabs(row.of(Measure::kTotal));
  });
  return comparison;
}

}  // namespace weft::query
