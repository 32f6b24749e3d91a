// weftscope stats: what events add up to.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/report.h"
#include "app/cli/table.h"
#include "app/session/statistics_pages.h"
#include "core/base/text.h"
#include "core/base/value_text.h"
#include "core/query/link_ends.h"
#include "core/query/metrics/group_histograms.h"
#include "core/query/metrics/group_names.h"
#include "core/query/metrics/metrics.h"
#include "core/query/metrics/percentiles.h"
#include "core/query/metrics/selection_statistics.h"
#include "core/query/metrics/variable_figures.h"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;
using query::Group;
using query::GroupBy;
using query::Metric;
using query::Statistics;

// In the order of GroupBy.
constexpr std::array<std::string_view, 3> kGroupings = {"type", "lane", "pair"};

// The figures of variables: numbers of any kind, of which time is the weight, unlike those of
// query::metrics().
constexpr std::string_view kOfVariables = "value";

struct StatsOptions {
  Input input;
  FilterOptions filters;
  std::string metric;  // empty: time in states, where there are any, else the number of events
  std::string by = "type";
  bool has_histogram = false;
  bool has_histograms = false;  // of each group
  std::string page;
  bool has_percentiles = false;
  bool is_json = false;
};

// The first value of a bin and the first beyond it.
int64_t bin_begin(size_t bin) { return bin == 0 ? 0 : int64_t{1} << (bin - 1); }
int64_t bin_end(size_t bin) {
  return bin + 1 < query::kHistogramBins ? bin_begin(bin + 1) : std::numeric_limits<int64_t>::max();
}

ordered_json histogram_json(const query::Histogram& histogram) {
  auto bins = ordered_json::array();
  for (size_t i = 0; i < histogram.size(); ++i) {
    if (histogram[i] == 0) continue;
    bins.push_back({{"from", bin_begin(i)}, {"to", bin_end(i)}, {"count", histogram[i]}});
  }
  return bins;
}

// {"50": …, "90": …}
ordered_json percentiles_json(const Group& group) {
  ordered_json percentiles;
  for (size_t i = 0; i < query::kPercentiles.size(); ++i) {
    percentiles[std::to_string(query::kPercentiles[i])] = group.percentiles[i];
  }
  return percentiles;
}

// Null of the end that is missing.
ordered_json path_json(LaneId lane, const trace::Dictionary& dictionary) {
  return lane.is_none() ? ordered_json(nullptr) : ordered_json(dictionary.path(lane));
}

ordered_json type_json(EventTypeId id, const trace::Dictionary& dictionary) {
  const trace::EventType& type = dictionary.type(id);
  return {{"name", type.name}, {"group", type.group}, {"category", name_of(type.category)}};
}

// In the measured range; null if the clock does not count seconds.
ordered_json rate_json(const Group& group, TimeRange range, TimeBase base) {
  const auto rate = query::rate_of(group.count, range, base);
  return rate ? ordered_json(*rate) : ordered_json(nullptr);
}

ordered_json group_json(const Group& group, const Metric& metric, GroupBy by,
                        const Statistics& statistics, const trace::Dictionary& dictionary) {
  ordered_json row;
  if (by == GroupBy::kType) {
    row = type_json(EventTypeId(group.id), dictionary);
  } else if (by == GroupBy::kPair) {
    row = {{"name", query::names_of({&group, 1}, by, dictionary).front()},
           {"source", path_json(LaneId(group.id), dictionary)},
           {"target", path_json(group.peer, dictionary)}};
  } else {
    row = {{"name", dictionary.path_text(LaneId(group.id))},
           {"lane", dictionary.path(LaneId(group.id))}};
  }
  row["count"] = group.count;
  row["total"] = group.total;
  row["mean"] = group.mean();
  row["min"] = group.min;
  row["max"] = group.max;
  row["self"] = metric.has_self ? ordered_json(group.self) : ordered_json(nullptr);
  row["percentage"] = statistics.percentage(group);
  return row;
}

void print_histogram(Output& output, const query::Histogram& histogram, const Metric& metric,
                     TimeBase base) {
  const auto value = [&](int64_t v) {
    return metric.is_time ? format_duration({v}, base) : format_count(static_cast<uint64_t>(v));
  };
  const uint64_t most = std::max<uint64_t>(1, *std::ranges::max_element(histogram));
  Table table({{"from", Align::kRight}, {"to", Align::kRight}, {"count", Align::kRight}, {""}});
  for (size_t i = 0; i < histogram.size(); ++i) {
    if (histogram[i] == 0) continue;
    const auto share = static_cast<double>(histogram[i]) / static_cast<double>(most);
    table.add({value(bin_begin(i)), value(bin_end(i)), format_count(histogram[i]),
               std::string(static_cast<size_t>(share * 40), '#')});
  }
  output.text("\n");
  table.print(output);
}

void print_table(Output& output, const Statistics& statistics, const Metric& metric, GroupBy by,
                 std::span<const std::string> names, const trace::Dictionary& dictionary,
                 TimeRange range, bool has_percentiles) {
  const auto value = [&](int64_t v) {
    return metric.is_time ? format_duration({v}, dictionary.time_base) : std::to_string(v);
  };
  constexpr Align kRight = Align::kRight;
  std::vector<Table::Column> columns = {{std::string(kGroupings[static_cast<size_t>(by)])},
                                        {"count", kRight},
                                        {"total", kRight},
                                        {"mean", kRight},
                                        {"min", kRight},
                                        {"max", kRight},
                                        {"self", kRight},
                                        {"%", kRight}};
  for (size_t i = 0; has_percentiles && i < query::kPercentiles.size(); ++i) {
    columns.push_back({fmt::format("p{}", query::kPercentiles[i]), kRight});
  }
  const bool has_rates = metric.only_counts && ticks_per_second(dictionary.time_base) > 0;
  if (has_rates) columns.push_back({"per s", kRight});
  Table table(std::move(columns));
  for (size_t g = 0; g < statistics.groups.size(); ++g) {
    const Group& group = statistics.groups[g];
    std::vector<std::string> cells = {names[g],
                                      format_count(group.count),
                                      value(group.total),
                                      value(static_cast<int64_t>(group.mean())),
                                      value(group.min),
                                      value(group.max),
                                      metric.has_self ? value(group.self) : "",
                                      fmt::format("{:.2f}", statistics.percentage(group))};
    for (size_t i = 0; has_percentiles && i < query::kPercentiles.size(); ++i) {
      cells.push_back(value(group.percentiles[i]));
    }
    const auto rate = query::rate_of(group.count, range, dictionary.time_base);
    if (has_rates) cells.push_back(rate ? format_value(*rate) : "");
    table.add(std::move(cells));
  }
  table.print(output);
}

ordered_json json_from(const app::Cell& cell) {
  return std::visit(
      [](const auto& value) -> ordered_json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return nullptr;
        } else {
          return value;
        }
      },
      cell);
}

void print_page(Output& output, const app::SqlAnswer& answer) {
  std::vector<Table::Column> columns;
  for (size_t i = 0; i < answer.columns.size(); ++i)
    columns.push_back({answer.columns[i], answer.is_number[i] ? Align::kRight : Align::kLeft});
  Table table(std::move(columns));
  for (size_t row = 0; row < answer.rows.size(); ++row) {
    std::vector<std::string> cells;
    for (size_t i = 0; i < answer.columns.size(); ++i)
      cells.push_back(app::shown_text(answer, row, i));
    table.add(std::move(cells));
  }
  table.print(output);
}

ordered_json page_json(const app::PageKey& key, const app::SqlAnswer& answer) {
  auto rows = ordered_json::array();
  for (const auto& cells : answer.rows) {
    ordered_json row;
    for (size_t i = 0; i < cells.size(); ++i) row[answer.columns[i]] = json_from(cells[i]);
    rows.push_back(std::move(row));
  }
  return {{"page", key.page},
          {"from", key.range.begin.ticks},
          {"to", key.range.end.ticks},
          {"time_base", name_of(key.trace->dictionary().time_base)},
          {"rows", std::move(rows)}};
}

// A page of statistics, of the whole trace or of a range; other filters it does not know.
Result<int> run_page(const StatsOptions& options, const store::TracePtr& trace, TimeRange range,
                     ThreadPool& pool) {
  std::string known;
  for (const formats::Page& page : app::pages_of(*trace)) {
    known += (known.empty() ? "" : ", ") + page.id;
    if (page.id != options.page) continue;
    const app::PageKey key = {trace, page.id, range};
    const auto found = app::answer_page(key, pool, {});
    if (!found->answer->error.empty())
      return fail(options.input.shown_file() + ": " + found->answer->error);
    Output output;
    if (options.is_json) {
      print_json(output, page_json(key, *found->answer));
    } else {
      print_page(output, *found->answer);
    }
    return finish(output, *trace, options.input.shown_file());
  }
  return usage_error(
      fmt::format("'{}' is not a page of this trace: {}", printable(options.page), known));
}

ordered_json value_json(double value) {
  return std::isnan(value) ? ordered_json(nullptr) : ordered_json(value);
}

// The rows have the keys of all metrics; those that variables do not have are null.
ordered_json variable_json(const query::VariableFigures& figures, const std::string& name,
                           const trace::Dictionary& dictionary) {
  ordered_json row = type_json(figures.variable, dictionary);
  if (!figures.lane.is_none()) {
    row = {{"name", name},
           {"lane", dictionary.path(figures.lane)},
           {"variable", dictionary.type(figures.variable).name}};
  }
  row["count"] = figures.count;
  row["total"] = nullptr;
  row["mean"] = value_json(figures.mean);
  row["min"] = value_json(figures.min);
  row["max"] = value_json(figures.max);
  row["self"] = nullptr;
  row["percentage"] = nullptr;
  row["last"] = value_json(figures.last);
  return row;
}

void print_variables(Output& output, std::span<const query::VariableFigures> variables,
                     std::span<const std::string> names, std::string_view by) {
  constexpr Align kRight = Align::kRight;
  Table table({{std::string(by)},
               {"count", kRight},
               {"mean", kRight},
               {"min", kRight},
               {"max", kRight},
               {"last", kRight}});
  for (size_t i = 0; i < variables.size(); ++i) {
    const query::VariableFigures& figures = variables[i];
    table.add({names[i], format_count(figures.count), format_value(figures.mean),
               format_value(figures.min), format_value(figures.max), format_value(figures.last)});
  }
  table.print(output);
}

Result<int> run_variables(const StatsOptions& options, GroupBy by, const store::Trace& trace,
                          const query::Selection& selection, ThreadPool& pool) {
  if (by == GroupBy::kPair)
    return usage_error("--by pair adds up messages, and variables have the metric value");
  if (options.has_percentiles || options.has_histogram || options.has_histograms)
    return usage_error("the metric value has neither percentiles nor histograms");
  const auto variables = query::measure_variables(trace, selection, by, pool);
  const trace::Dictionary& dictionary = trace.dictionary();
  const std::vector<std::string> names = query::names_of(*variables, dictionary);
  Output output;
  if (options.is_json) {
    auto rows = ordered_json::array();
    for (size_t i = 0; i < names.size(); ++i)
      rows.push_back(variable_json((*variables)[i], names[i], dictionary));
    print_json(output, {{"metric", kOfVariables},
                        {"by", options.by},
                        {"from", selection.range.begin.ticks},
                        {"to", selection.range.end.ticks},
                        {"time_base", name_of(dictionary.time_base)},
                        {"rows", std::move(rows)},
                        {"histogram", ordered_json::array()}});
  } else {
    print_variables(output, *variables, names, options.by);
  }
  return finish(output, trace, options.input.shown_file());
}

Result<int> run_stats(const StatsOptions& options) {
  ThreadPool pool;
  WEFT_TRY_ASSIGN(const store::TracePtr trace, options.input.open(pool));
  const auto selection = options.filters.select(*trace);
  if (!selection) return usage_error(selection.error().message);
  if (!options.page.empty()) return run_page(options, trace, selection->range, pool);
  const bool has_states = trace->counts()[trace::Category::kState] > 0;
  const auto by =
      static_cast<GroupBy>(std::ranges::find(kGroupings, options.by) - kGroupings.begin());
  const bool is_of_states = has_states && by != GroupBy::kPair;
  const std::string metric_id = !options.metric.empty() ? options.metric
                                : is_of_states          ? "duration"
                                                        : "count";
  if (metric_id == kOfVariables) return run_variables(options, by, *trace, *selection, pool);
  if (by == GroupBy::kPair && metric_id == "duration")
    return usage_error(
        "--by pair adds up messages, and states have the metric duration (messages: latency)");
  const Metric& metric = *query::metric_from_id(metric_id);
  Statistics statistics = metric.measure(*trace, *selection, by, pool);
  if (options.has_percentiles) {
    add_percentiles(*trace, *selection, by, metric, statistics, pool);
  }
  std::vector<query::Histogram> histograms;
  if (options.has_histograms) {
    histograms = group_histograms(*trace, *selection, by, metric, statistics, pool);
  }
  if (metric.id == "latency" && statistics.groups.empty() &&
      trace->counts()[trace::Category::kLink] > 0 && !trace->knows_latencies())
    complain(fmt::format("{}: {}", options.input.shown_file(), query::kLatenciesUnknown));
  const trace::Dictionary& dictionary = trace->dictionary();
  Output output;
  if (options.is_json) {
    auto rows = ordered_json::array();
    for (const Group& group : statistics.groups) {
      rows.push_back(group_json(group, metric, by, statistics, dictionary));
      if (metric.only_counts)
        rows.back()["rate"] = rate_json(group, selection->range, dictionary.time_base);
      if (options.has_percentiles) rows.back()["percentiles"] = percentiles_json(group);
      if (options.has_histograms)
        rows.back()["histogram"] = histogram_json(histograms[rows.size() - 1]);
    }
    print_json(output, {{"metric", metric.id},
                        {"by", options.by},
                        {"from", selection->range.begin.ticks},
                        {"to", selection->range.end.ticks},
                        {"time_base", name_of(dictionary.time_base)},
                        {"rows", std::move(rows)},
                        {"histogram", histogram_json(statistics.histogram)}});
  } else {
    const std::vector<std::string> names = query::names_of(statistics.groups, by, dictionary);
    print_table(output, statistics, metric, by, names, dictionary, selection->range,
                options.has_percentiles);
    if (options.has_histogram) {
      print_histogram(output, statistics.histogram, metric, dictionary.time_base);
    }
    for (size_t i = 0; i < histograms.size(); ++i) {
      output.print("\n{}", printable(names[i], 400));
      print_histogram(output, histograms[i], metric, dictionary.time_base);
    }
  }
  return finish(output, *trace, options.input.shown_file());
}

}  // namespace

Run declare_stats(CLI::App& app) {
  auto options = std::make_shared<StatsOptions>();
  options->input.declare(app);
  std::set<std::string> metrics;
  std::string help;
  for (const Metric& metric : query::metrics()) {
    metrics.emplace(metric.id);
    help += fmt::format("{} ({}), ", metric.id, metric.name);
  }
  metrics.emplace(kOfVariables);
  help += fmt::format("{} (Values of variables, weighted by time), ", kOfVariables);
  help += "by default duration where there are states, else count; by pair count";
  app.add_option("--metric", options->metric, help)->check(CLI::IsMember(metrics))->type_name("ID");
  app.add_option("--by", options->by,
                 "Add up by type (default), by lane, or links by the pair of their lanes")
      ->check(CLI::IsMember({"type", "lane", "pair"}))
      ->type_name("type|lane|pair");
  app.add_option("--page", options->page,
                 "A page of statistics instead: events (by type, in all and in the range), or one "
                 "of the trace's type (weftscope formats ID); with --from and --to alone")
      ->type_name("ID");
  options->filters.declare(app, {"category", "lane", "type", "where", "from", "to"});
  app.add_flag("--percentiles", options->has_percentiles,
               "Also the exact 50th, 90th, 95th and 99th percentile");
  app.add_flag("--histogram", options->has_histogram,
               "Also print the distribution of the values, in powers of two (JSON always has it)");
  app.add_flag("--histograms", options->has_histograms,
               "Also the distribution of the values of each type, lane or pair");
  app.add_flag("--json", options->is_json, "One JSON object");
  exclude(app, "--page",
          {"--metric", "--by", "--category", "--lane", "--type", "--where", "--percentiles",
           "--histogram", "--histograms"});
  return [options] { return run_stats(*options); };
}

}  // namespace weft::cli
