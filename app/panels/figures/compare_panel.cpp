#include "app/panels/figures/compare_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "app/session/option_choices.h"
#include "app/view/safe_colors.h"
#include "core/base/text.h"
#include "core/query/metrics/group_names.h"

namespace weft::app {
namespace {

using query::Difference;
using query::Measure;

// After the name, for each measure: in A, in B, B less A, and that in percent of A.
enum class Part : uint8_t { kA, kB, kDifference, kPercent };
constexpr size_t kParts = 4;

constexpr TableColumn kAllColumns[] = {
    {.id = "name", .title = "Name", .width_px = 280, .has_filter = true},
    figure_column("count_a", "A", 74, "Count"),
    figure_column("count_b", "B", 74, "Count"),
    figure_column("count_difference", "B − A", 74, "Count"),
    figure_column("count_percent", "%", 78, "Count"),
    figure_column("total_a", "A", 92, "Total"),
    figure_column("total_b", "B", 92, "Total"),
    figure_column("total_difference", "B − A", 92, "Total"),
    figure_column("total_percent", "%", 78, "Total"),
    figure_column("self_a", "A", 92, "Self"),
    figure_column("self_b", "B", 92, "Self"),
    figure_column("self_difference", "B − A", 92, "Self"),
    figure_column("self_percent", "%", 78, "Self"),
    figure_column("mean_a", "A", 92, "Mean"),
    figure_column("mean_b", "B", 92, "Mean"),
    figure_column("mean_difference", "B − A", 92, "Mean"),
    figure_column("mean_percent", "%", 78, "Mean"),
    figure_column("max_a", "A", 92, "Longest"),
    figure_column("max_b", "B", 92, "Longest"),
    figure_column("max_difference", "B − A", 92, "Longest"),
    figure_column("max_percent", "%", 78, "Longest")};
static_assert(std::size(kAllColumns) == 1 + query::kMeasures * kParts);

// Self is of metrics that have it; what only counts has nothing but counts.
std::span<const TableColumn> columns_of(const query::Metric& metric) {
  if (metric.only_counts) return std::span(kAllColumns).first(1 + kParts);
  constexpr size_t kSelf = 1 + static_cast<size_t>(Measure::kSelf) * kParts;
  static const auto without_self = [] {
    std::vector<TableColumn> columns(std::begin(kAllColumns), std::end(kAllColumns));
    columns.erase(columns.begin() + kSelf, columns.begin() + kSelf + kParts);
    return columns;
  }();
  return metric.has_self ? std::span<const TableColumn>(kAllColumns) : without_self;
}

Measure measure_of(const query::Metric& metric, size_t column) {
  return query::telling_measures(metric)[(column - 1) / kParts];
}
Part part_of(size_t column) { return static_cast<Part>((column - 1) % kParts); }

// nullopt if there is no value: there is no percentage of nothing, either.
std::optional<double> value_of(const Difference& row, const query::Metric& metric, size_t column) {
  const Measure measure = measure_of(metric, column);
  switch (part_of(column)) {
    case Part::kA:
      return query::figure_of(row.a, measure);
    case Part::kB:
      return query::figure_of(row.b, measure);
    case Part::kDifference:
      return row.of(measure);
    case Part::kPercent:
      break;
  }
  return row.percent(measure);
}

const query::Metric& choose_metric(Toolbar& bar) {
  std::vector<Choice> choices;
  for (const query::Metric& metric : query::metrics()) {
    choices.push_back({metric.id, metric.name.data()});  // names are literals
  }
  return *query::metric_from_id(bar.choose_from_list("metric", choices));
}

}  // namespace

std::string ComparePanel::Table::cell(size_t row, size_t column, const TimeDisplay& display) const {
  const Difference& difference = *rows[row];
  if (column == 0) return name_of(difference);
  const std::optional<double> value = value_of(difference, *key.compared->key.metric, column);
  if (!value) {
    const bool is_new =
        part_of(column) == Part::kPercent &&
        difference.b[static_cast<size_t>(measure_of(*key.compared->key.metric, column))] != 0;
    return is_new ? "new" : "";
  }
  const bool is_signed = part_of(column) >= Part::kDifference;
  if (is_signed && *value == 0) return "=";  // what differs stands out
  if (part_of(column) == Part::kPercent) return fmt::format("{:+.1f}", *value);
  const char* sign = is_signed && *value > 0 ? "+" : "";
  if (measure_of(*key.compared->key.metric, column) == Measure::kCount) {
    const std::string digits = format_count(static_cast<uint64_t>(std::llround(std::abs(*value))));
    return (*value < 0 ? "-" : sign) + digits;
  }
  if (!key.compared->key.metric->is_time) return fmt::format("{}{:.6g}", sign, *value);
  return sign + length_cell(display, {std::llround(*value)}, key.compared->result->base);
}

// The exact value in ticks of A, for programs.
Cell ComparePanel::Table::exact(size_t row, size_t column) const {
  if (column == 0) return name_of(*rows[row]);
  const std::optional<double> value = value_of(*rows[row], *key.compared->key.metric, column);
  return value ? Cell(*value) : Cell();
}

bool ComparePanel::Table::is_same(const Difference& row) const {
  const query::Metric& metric = *key.compared->key.metric;
  for (size_t column = 1; column < columns_of(metric).size(); ++column) {
    const bool differs = part_of(column) == Part::kDifference;
    if (differs && value_of(row, metric, column).value_or(0) != 0) return false;
  }
  return true;
}

ComparePanel::Table ComparePanel::make_table(const TableKey& key) {
  Table table{key, {}};
  if (!key.compared->result) return table;
  const query::Metric& metric = *key.compared->key.metric;
  const TableFilters filters(key.options, columns_of(metric));
  for (const Difference& row : key.compared->result->rows) {
    if (key.only_differing && table.is_same(row)) continue;
    table.rows.push_back(&row);
    const size_t last = table.rows.size() - 1;
    if (!filters.take([&](size_t column) { return table.cell(last, column, key.display); }))
      table.rows.pop_back();
  }
  const auto column = sort_column(key.options, columns_of(metric));
  if (!column) return table;
  if (*column == 0) {
    std::ranges::stable_sort(table.rows, {},
                             [&](const Difference* row) { return table.name_of(*row); });
  } else {
    std::ranges::stable_sort(table.rows, {}, [&](const Difference* row) {
      return value_of(*row, metric, *column).value_or(HUGE_VAL);
    });
  }
  if (key.options.is_descending) std::ranges::reverse(table.rows);
  return table;
}

class ComparePanel::Rows final : public TableRows {
 public:
  Rows(std::shared_ptr<const Table> table, const PanelInput& input, const OpenTrace& a,
       const OpenTrace& b)
      : table_(std::move(table)),
        input_(input),
        is_of_a_(input.trace == &a),
        is_of_b_(input.trace == &b) {}
  uint64_t count() const override { return table_ ? table_->rows.size() : 0; }
  TableRow row(uint64_t row) const override {
    TableRow state;
    const Difference& difference = *table_->rows[row];
    state.is_dim = table_->is_same(difference);
    const bool is_type = !difference.type_of_a.is_none() || !difference.type_of_b.is_none();
    if (!is_type || !input_.model) return state;
    const layout::Palette& palette = *input_.model->palette;
    EventTypeId here = EventTypeId::none();
    if (is_of_a_) here = difference.type_of_a;
    if (here.is_none() && is_of_b_) here = difference.type_of_b;
    state.swatch = render::color_from_rgb(
        here.is_none() ? color_here(type_of(difference), palette.theme()) : palette.color(here));
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return table_->cell(row, column, input_.session.look.time_display);
  }
  std::string identity(uint64_t row) const override { return cell(row, 0); }
  Sheet sheet() const override {
    return sheet_of_cells(
        column_ids(columns_of(*table_->key.compared->key.metric)), count(),
        [table = table_](uint64_t row, size_t column) { return table->exact(row, column); });
  }

 private:
  // As the trace that has it declares it.
  const trace::EventType& type_of(const Difference& difference) const {
    const CompareKey& key = table_->key.compared->key;
    return difference.type_of_a.is_none() ? key.b.trace->dictionary().type(difference.type_of_b)
                                          : key.a.trace->dictionary().type(difference.type_of_a);
  }
  // Of a type that the trace that is shown does not have: as it would be coloured in it.
  layout::Rgb color_here(const trace::EventType& type, layout::Theme theme) const {
    const NamedColors& colors = *input_.session.look.type_colors;
    if (const auto chosen = colors.find(std::string(type.name)); chosen != colors.end())
      return chosen->second;
    if (input_.session.look.has_safe_colors && !layout::is_grey(type.rgb))
      return safe_color(type.name, theme);
    return layout::color_of_type(type, theme);
  }

  std::shared_ptr<const Table> table_;
  const PanelInput& input_;
  bool is_of_a_, is_of_b_;  // the model's types are
};

ComparePanel::ComparePanel(const PanelServices& services)
    : compared_(
          [pool = services.pool](const CompareKey& key,
                                 const std::stop_token& stop) -> std::optional<Compared> {
            auto result = query::compare({key.a.trace, selection_of(key.a)},
                                         {key.b.trace, selection_of(key.b)}, *key.metric, key.by,
                                         {*pool, stop});
            if (stop.stop_requested()) return std::nullopt;
            Compared compared{key, std::move(result)};
            if (compared.result) {
              compared.names = query::names_of(*compared.result, key.a.trace->dictionary(),
                                               key.b.trace->dictionary());
            }
            return compared;
          },
          services.wake),
      table_(make_table, services.wake) {}

void ComparePanel::draw(const PanelInput& input, PanelOutput& output) {
  if (input.session.traces.size() < 2) {
    draw_notice(input, input.area, "Open two traces to compare them");
    return;
  }
  Toolbar bar(input, output);
  bar.say("A");
  bar.space(14);
  const OpenTrace* a = bar.choose_trace("a", 0);
  bar.say("B");
  bar.space(14);
  const OpenTrace* b = bar.choose_trace("b", 1);
  CompareKey key;
  key.metric = &choose_metric(bar);
  const std::string scope = bar.choose("of", kComparedParts);
  key.by = bar.choose("by", kTypeOrLane) == "lane" ? query::GroupBy::kLane : query::GroupBy::kType;
  const bool only_differing = bar.choose("rows", kComparedRows) == "differing";
  const Area area = bar.below();
  if (!a->trace() || !b->trace()) {
    output.is_stale |= a->is_loading() || b->is_loading();
    draw_notice(input, area, "There is nothing of one of them yet");
    return;
  }
  const auto side_a = scope_of(*a, scope), side_b = scope_of(*b, scope);
  if (!side_a || !side_b) {
    draw_notice(input, area, "Select a range in both traces");
    return;
  }
  key.a = *side_a;
  key.b = *side_b;
  const auto compared = compared_.find(key);
  output.is_stale |= compared.is_stale;
  Latest<TableKey, Table>::Found table;
  if (compared.value) {
    table = table_.find({compared.value, table_options(input.options), only_differing,
                         input.session.look.time_display});
    output.is_stale |= table.is_stale;
  }
  TableInput view{input, area, columns_of(*key.metric)};
  view.is_stale = compared.is_stale || table.is_stale;
  view.nothing = only_differing ? "Nothing differs" : "Neither of them holds events here";
  if (compared.value && !compared.value->result) {
    view.problem = compared.value->result.error().message;
  }
  if (table.value) {
    const char* noun = key.by == query::GroupBy::kLane ? "lane" : "type";
    view.footer = counted(table.value->rows.size(), noun);
  }
  (void)view_.draw(view, Rows(table.value, input, *a, *b), output);
}

}  // namespace weft::app
