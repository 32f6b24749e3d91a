#include "app/panels/figures/selection_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/text.h"
#include "core/base/value_text.h"
#include "core/query/metrics/group_names.h"
#include "core/query/metrics/tally.h"

namespace weft::app {
namespace {

using query::GroupBy;
using trace::Category;

// What a column shows.
enum class Summed : uint8_t {
  kName,
  kCount,
  kSamples,   // the count of a variable
  kMeasured,  // links that have a latency
  kShare,
  kRate,
  kTotal,
  kMean,
  kMin,
  kMax,
  kSelf,
  kValueMean,
  kValueMin,
  kValueMax,
  kValueLast,
  kFirstPercentile,
  kLastPercentile = kFirstPercentile + std::size(query::kPercentiles) - 1
};

// The columns of a table, by what they show.
constexpr TableColumn kColumns[] = {
    {.id = "name", .title = "Name", .width_px = 220, .has_filter = true},
    figure_column("count", "Count", 90),
    figure_column("count", "Samples", 90),
    figure_column("measured", "Both ends", 90),
    figure_column("share", "%", 60),
    figure_column("rate", "Per second", 100),
    figure_column("total", "Total", 100),
    figure_column("mean", "Mean", 90),
    figure_column("min", "Shortest", 90),
    figure_column("max", "Longest", 90),
    figure_column("self", "Self", 100),
    figure_column("mean", "Mean", 100),
    figure_column("min", "Least", 100),
    figure_column("max", "Greatest", 100),
    figure_column("last", "Last", 100),
    figure_column("p50", "p50", 90),
    figure_column("p90", "p90", 90),
    figure_column("p95", "p95", 90),
    figure_column("p99", "p99", 90)};
static_assert(std::size(kColumns) == static_cast<size_t>(Summed::kLastPercentile) + 1);
static_assert(query::kPercentiles == std::array<uint32_t, 4>{50, 90, 95, 99}, "as in the titles");

constexpr Summed percentile(size_t i) {
  return static_cast<Summed>(static_cast<size_t>(Summed::kFirstPercentile) + i);
}

constexpr Summed kOfStates[] = {Summed::kName, Summed::kCount, Summed::kTotal, Summed::kShare,
                                Summed::kMean, Summed::kMin,   Summed::kMax,   Summed::kSelf,
                                percentile(0), percentile(1),  percentile(2),  percentile(3)};
constexpr Summed kOfPunctuals[] = {Summed::kName, Summed::kCount, Summed::kShare, Summed::kRate};
constexpr Summed kOfLinks[] = {Summed::kName, Summed::kCount, Summed::kShare, Summed::kMeasured,
                               Summed::kMean, Summed::kMin,   Summed::kMax,   percentile(0),
                               percentile(1), percentile(2),  percentile(3)};
constexpr Summed kOfVariables[] = {Summed::kName,     Summed::kSamples,  Summed::kValueMean,
                                   Summed::kValueMin, Summed::kValueMax, Summed::kValueLast};

std::span<const Summed> figures_of(Category category) {
  switch (category) {
    case Category::kPunctual:
      return kOfPunctuals;
    case Category::kLink:
      return kOfLinks;
    case Category::kVariable:
      return kOfVariables;
    case Category::kState:
      break;
  }
  return kOfStates;
}

template <size_t kCount>
constexpr std::array<TableColumn, kCount> columns_for(const Summed (&figures)[kCount]) {
  std::array<TableColumn, kCount> columns;
  std::ranges::transform(figures, columns.begin(),
                         [](Summed figure) { return kColumns[static_cast<size_t>(figure)]; });
  return columns;
}

// For sorting: what is empty, or no number, comes before all numbers.
double number_of(const Cell& cell) {
  return std::visit(
      [](const auto& value) {
        double number = -std::numeric_limits<double>::infinity();
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>)
          number = static_cast<double>(value);
        return std::isnan(number) ? -std::numeric_limits<double>::infinity() : number;
      },
      cell);
}

Cell value_cell(double value) { return std::isnan(value) ? Cell() : Cell(value); }

}  // namespace

std::span<const TableColumn> SelectionTable::columns_of(Category category) {
  static constexpr auto kStates = columns_for(kOfStates);
  static constexpr auto kPunctuals = columns_for(kOfPunctuals);
  static constexpr auto kLinks = columns_for(kOfLinks);
  static constexpr auto kVariables = columns_for(kOfVariables);
  switch (category) {
    case Category::kPunctual:
      return kPunctuals;
    case Category::kLink:
      return kLinks;
    case Category::kVariable:
      return kVariables;
    case Category::kState:
      break;
  }
  return kStates;
}

bool SelectionTable::has_percentiles(Category category) {
  return query::value_metric_of(category) != nullptr;
}

SelectionTable::SelectionTable(const SelectionTableKey& key) : key_(key) {
  add_lines();
  unfiltered_ = lines_.size();
  const std::span<const TableColumn> columns = columns_of(question().category);
  const TableFilters filters(key.options, columns);
  std::vector<Line> taken;
  for (size_t i = 0; i < lines_.size() && !filters.is_empty(); ++i) {
    if (filters.take([&](size_t column) { return cell(i, column, key.display); }))
      taken.push_back(lines_[i]);
  }
  if (!filters.is_empty()) lines_ = std::move(taken);
  if (const auto column = sort_column(key.options, columns)) sort(*column);
}

void SelectionTable::add_lines() {
  const auto& [key, statistics] = *key_.sums;
  const trace::Dictionary& dictionary = key.trace->dictionary();
  if (key.category == Category::kVariable) {
    std::vector<std::string> names = query::names_of(statistics.variables, dictionary);
    for (size_t i = 0; i < names.size(); ++i) {
      const query::VariableFigures& figures = statistics.variables[i];
      lines_.push_back({std::move(names[i]), figures.count, {}, figures});
    }
    return;
  }
  const query::Statistics& values = key_.percentiles ? *key_.percentiles : statistics.values;
  const bool is_of_states = key.category == Category::kState;
  const std::vector<query::Group>& groups = is_of_states ? values.groups : statistics.counts.groups;
  std::map<query::GroupKey, const query::Group*> latencies;
  for (const query::Group& group : values.groups) {
    if (!is_of_states) latencies.emplace(query::key_of(key.by, group), &group);
  }
  std::vector<std::string> names = query::names_of(groups, key.by, dictionary);
  for (size_t i = 0; i < names.size(); ++i) {
    Line line{std::move(names[i]), groups[i].count, groups[i], {}};
    if (!is_of_states) {
      const auto of_line = latencies.find(query::key_of(key.by, groups[i]));
      line.group = of_line != latencies.end() ? *of_line->second : query::Group();
      line.group.id = groups[i].id;
    }
    lines_.push_back(std::move(line));
  }
}

// Lines that are equal stay in their order, in both directions.
void SelectionTable::sort(size_t column) {
  const auto comes_before = [is_descending = key_.options.is_descending](const auto& a,
                                                                         const auto& b) {
    return is_descending ? b < a : a < b;
  };
  if (column == 0) {
    std::ranges::stable_sort(lines_, comes_before, &Line::name);
    return;
  }
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < lines_.size(); ++i) order.emplace_back(number_of(exact(i, column)), i);
  std::ranges::stable_sort(order, comes_before, &std::pair<double, size_t>::first);
  std::vector<Line> sorted;
  sorted.reserve(lines_.size());
  for (const auto& [value, line] : order) sorted.push_back(std::move(lines_[line]));
  lines_ = std::move(sorted);
}

std::optional<EventTypeId> SelectionTable::type(size_t line) const {
  if (question().by != GroupBy::kType) return std::nullopt;
  if (question().category == Category::kVariable) return lines_[line].variable.variable;
  return EventTypeId(lines_[line].group.id);
}

Cell SelectionTable::exact(size_t line, size_t column) const {
  using enum Summed;
  const auto& [name, count, group, variable] = lines_[line];
  const query::SelectionStatistics& statistics = key_.sums->statistics;
  const Summed figure = figures_of(question().category)[column];
  switch (figure) {
    case kName:
      return name;
    case kCount:
    case kSamples:
      return count;
    case kMeasured:
      return group.count;
    case kShare: {
      const bool is_of_states = question().category == Category::kState;
      const auto part =
          static_cast<double>(is_of_states ? group.total : static_cast<int64_t>(count));
      const double all = is_of_states ? statistics.values.sum : statistics.counts.sum;
      return all == 0 ? 0.0 : part / all;
    }
    case kRate: {
      const TimeBase base = question().trace->dictionary().time_base;
      const auto rate = query::rate_of(count, question().range, base);
      return rate ? Cell(*rate) : Cell();
    }
    case kValueMean:
      return value_cell(variable.mean);
    case kValueMin:
      return value_cell(variable.min);
    case kValueMax:
      return value_cell(variable.max);
    case kValueLast:
      return value_cell(variable.last);
    default:
      break;
  }
  if (group.count == 0) return {};
  switch (figure) {
    case kTotal:
      return group.total;
    case kMean:
      return group.mean();
    case kMin:
      return group.min;
    case kMax:
      return group.max;
    case kSelf:
      return group.self;
    default: {
      const auto i = static_cast<size_t>(figure) - static_cast<size_t>(kFirstPercentile);
      return key_.percentiles ? Cell(group.percentiles[i]) : Cell();
    }
  }
}

std::string SelectionTable::cell(size_t line, size_t column, const TimeDisplay& display) const {
  using enum Summed;
  const Summed figure = figures_of(question().category)[column];
  const Cell exactly = exact(line, column);
  if (const auto* const name = std::get_if<std::string>(&exactly)) return *name;
  const bool is_percentile = figure >= kFirstPercentile;
  if (std::holds_alternative<std::monostate>(exactly))
    return is_percentile && !key_.percentiles && lines_[line].group.count > 0 ? "…" : "";
  switch (figure) {
    case kCount:
    case kSamples:
    case kMeasured:
      return format_count(std::get<uint64_t>(exactly));
    case kShare:
      return fmt::format("{:.1f}", 100 * std::get<double>(exactly));
    case kRate:
    case kValueMean:
    case kValueMin:
    case kValueMax:
    case kValueLast:
      return format_value(std::get<double>(exactly));
    default: {
      const auto* const ticks = std::get_if<int64_t>(&exactly);  // of means a part is left over
      const Duration length{ticks ? *ticks : static_cast<int64_t>(std::get<double>(exactly))};
      return length_cell(display, length, question().trace->dictionary().time_base);
    }
  }
}

}  // namespace weft::app
