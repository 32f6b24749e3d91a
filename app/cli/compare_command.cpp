// weftscope compare: what differs between two traces.
#include <fmt/core.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "app/cli/table.h"
#include "core/base/text.h"
#include "core/query/metrics/comparison.h"
#include "core/query/metrics/group_names.h"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;
using query::Difference;
using query::GroupBy;
using query::Measure;
using query::Metric;
using query::TraceComparison;

struct CompareOptions {
  Input a;
  std::string b;
  FilterOptions filters;
  std::string metric;  // empty: time in states, where there are any, else the number of events
  std::string by = "type";
  bool is_json = false;
};

// Indexed by query::Measure.
constexpr const char* kMeasureNames[] = {"count", "total", "self", "mean", "max"};
static_assert(std::size(kMeasureNames) == query::kMeasures);
const char* name_of(Measure measure) { return kMeasureNames[static_cast<size_t>(measure)]; }

// The group of a row by type, from whichever trace has it.
std::string_view group_of(const Difference& row, const store::Trace& a, const store::Trace& b) {
  if (!row.type_of_a.is_none()) return a.dictionary().type(row.type_of_a).group;
  return b.dictionary().type(row.type_of_b).group;
}

// A whole number is written as one ("33", not "33.0"), as by `stats`.
ordered_json number_json(std::optional<double> value) {
  constexpr double kMostExact = 9'007'199'254'740'992;  // 2^53
  if (!value) return nullptr;
  const bool is_whole = std::trunc(*value) == *value && std::abs(*value) <= kMostExact;
  return is_whole ? ordered_json(static_cast<int64_t>(*value)) : ordered_json(*value);
}

ordered_json row_json(const Difference& row, const Metric& metric) {
  ordered_json json = {{"name", row.name}};
  for (const Measure measure : query::measures_of(metric)) {
    json[name_of(measure)] = {{"a", number_json(query::figure_of(row.a, measure))},
                              {"b", number_json(query::figure_of(row.b, measure))},
                              {"difference", number_json(row.of(measure))},
                              {"percent", number_json(row.percent(measure))}};
  }
  return json;
}

// "-12,345" where it is whole, as all counts are.
std::string number_text(double value) {
  constexpr double kMostExact = 1e15;
  if (std::trunc(value) != value || std::abs(value) > kMostExact)
    return fmt::format("{:.6g}", value);
  return format_signed_count(static_cast<int64_t>(value));
}

void print_table(Output& output, const TraceComparison& comparison,
                 std::span<const std::string> names, const Metric& metric, GroupBy by) {
  constexpr Align kRight = Align::kRight;
  std::vector<Table::Column> columns = {{by == GroupBy::kType ? "type" : "lane"}};
  for (const Measure measure : query::telling_measures(metric)) {
    for (const char* part : {" A", " B", " ±", " ± %"}) {
      columns.push_back({std::string(name_of(measure)) + part, kRight});
    }
  }
  Table table(std::move(columns));
  for (size_t i = 0; i < names.size(); ++i) {
    const Difference& row = comparison.rows[i];
    std::vector<std::string> cells = {names[i]};
    for (const Measure measure : query::telling_measures(metric)) {
      const bool is_time = metric.is_time && measure != Measure::kCount;
      const auto value = [&](double v) {
        return is_time ? format_duration({std::llround(v)}, comparison.base) : number_text(v);
      };
      const double difference = row.of(measure);
      const auto percent = row.percent(measure);
      for (const query::Figures* side : {&row.a, &row.b}) {
        const auto figure = query::figure_of(*side, measure);
        cells.push_back(figure ? value(*figure) : "");
      }
      cells.push_back((difference > 0 ? "+" : "") + value(difference));
      cells.push_back(percent ? fmt::format("{:+.1f}", *percent) : "");
    }
    table.add(std::move(cells));
  }
  table.print(output);
}

Result<int> run_compare(const CompareOptions& options) {
  ThreadPool pool;
  Input input_b = options.a;
  input_b.file = options.b;
  WEFT_TRY_ASSIGN(const store::TracePtr a, options.a.open(pool));
  WEFT_TRY_ASSIGN(const store::TracePtr b, input_b.open(pool));
  const auto of_a = options.filters.select(*a);
  const auto of_b = options.filters.select(*b);
  if (!of_a) return usage_error(options.a.shown_file() + ": " + of_a.error().message);
  if (!of_b) return usage_error(input_b.shown_file() + ": " + of_b.error().message);
  const bool has_states =
      a->counts()[trace::Category::kState] + b->counts()[trace::Category::kState] > 0;
  const std::string id = !options.metric.empty() ? options.metric
                         : has_states            ? "duration"
                                                 : "count";
  const Metric& metric = *query::metric_from_id(id);
  const GroupBy by = options.by == "type" ? GroupBy::kType : GroupBy::kLane;
  WEFT_TRY_ASSIGN(const TraceComparison comparison,
                  query::compare({a, *of_a}, {b, *of_b}, metric, by, pool));
  Output output;
  if (options.is_json) {
    auto rows = ordered_json::array();
    for (const Difference& row : comparison.rows) {
      ordered_json& json = rows.emplace_back(row_json(row, metric));
      if (by == GroupBy::kType) json["group"] = group_of(row, *a, *b);
    }
    const auto side = [](const Input& input, const query::Selection& selection) {
      return ordered_json{{"file", input.shown_file()},
                          {"from", selection.range.begin.ticks},
                          {"to", selection.range.end.ticks}};
    };
    print_json(output, {{"metric", metric.id},
                        {"by", options.by},
                        {"time_base", name_of(comparison.base)},
                        {"a", side(options.a, *of_a)},
                        {"b", side(input_b, *of_b)},
                        {"rows", std::move(rows)}});
  } else {
    print_table(output, comparison, query::names_of(comparison, a->dictionary(), b->dictionary()),
                metric, by);
  }
  WEFT_TRY_ASSIGN(const int code, finish(output, *a, options.a.shown_file()));
  Output nothing;
  WEFT_TRY_ASSIGN(const int code_b, finish(nothing, *b, input_b.shown_file()));
  return std::max(code, code_b);
}

}  // namespace

Run declare_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  options->a.declare(app);
  app.add_option("B", options->b, "The trace that FILE is compared with")->required();
  std::set<std::string> metrics;
  for (const Metric& metric : query::metrics()) metrics.emplace(metric.id);
  app.add_option("--metric", options->metric,
                 "As stats has them; by default duration where there are states, else count")
      ->check(CLI::IsMember(metrics))
      ->type_name("ID");
  app.add_option("--by", options->by, "Compare types (default) or lanes")
      ->check(CLI::IsMember({"type", "lane"}))
      ->type_name("type|lane");
  options->filters.declare(app, {"category", "lane", "type", "where", "from", "to"});
  app.add_flag("--json", options->is_json, "One JSON object");
  return [options] { return run_compare(*options); };
}

}  // namespace weft::cli
