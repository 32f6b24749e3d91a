#include "app/panels/figures/selection_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/session/losses.h"
#include "app/session/option_choices.h"
#include "core/base/text.h"
#include "core/query/metrics/group_names.h"
#include "core/query/metrics/percentiles.h"

namespace weft::app {
namespace {

using query::GroupBy;

enum Column : size_t { kName, kCount, kTotal, kShare, kMean, kMin, kMax, kSelf, kFirstPercentile };

constexpr TableColumn kColumns[] = {
    {"name", "Name", 220, false, true}, {"count", "Count", 90, true}, {"total", "Total", 100, true},
    {"share", "%", 60, true},           {"mean", "Mean", 90, true},   {"min", "Shortest", 90, true},
    {"max", "Longest", 90, true},       {"self", "Self", 100, true},  {"p50", "p50", 90, true},
    {"p90", "p90", 90, true},           {"p95", "p95", 90, true},     {"p99", "p99", 90, true}};
constexpr uint64_t kStatesAtOnce = uint64_t{1} << 20;  // whose percentiles take a moment
static_assert(std::size(kColumns) == kFirstPercentile + query::kPercentiles.size());

uint64_t states_of(const query::Statistics& statistics) {
  uint64_t states = 0;
  for (const query::Group& group : statistics.groups) states += group.count;
  return states;
}

std::string lanes_summed_up(const PanelInput& input) {
  const std::vector<LaneId>& selected = input.trace->selected_lanes;
  if (!selected.empty()) return counted(selected.size(), "lane");
  const uint32_t hidden = input.model->lanes_left_out - input.model->order.eventless;
  return hidden > 0 ? fmt::format("all lanes, also {} hidden", format_count(hidden)) : "all lanes";
}

}  // namespace

bool SelectionPanel::Table::has(size_t column) const {
  return column < kFirstPercentile || key.percentiles;
}

double SelectionPanel::Table::value(const query::Group& group, size_t column) const {
  switch (column) {
    case kCount:
      return static_cast<double>(group.count);
    case kTotal:
    case kShare:
      return static_cast<double>(group.total);
    case kMean:
      return group.mean();
    case kMin:
      return static_cast<double>(group.min);
    case kMax:
      return static_cast<double>(group.max);
    case kSelf:
      return static_cast<double>(group.self);
    default:
      return static_cast<double>(group.percentiles[column - kFirstPercentile]);
  }
}

std::string SelectionPanel::Table::cell(size_t row, size_t column,
                                        const TimeDisplay& display) const {
  const auto& [group, name] = lines[row];
  if (column == kName) return name;
  if (column == kCount) return format_count(group.count);
  if (column == kShare)
    return fmt::format("{:.1f}", key.sums->by(key.is_by_lane).percentage(group));
  if (!has(column)) return "…";
  return length_cell(display, {static_cast<int64_t>(value(group, column))},
                     key.sums->key.trace->dictionary().time_base);
}

// The exact value in ticks, for programs.
Cell SelectionPanel::Table::exact(size_t row, size_t column) const {
  const auto& [group, name] = lines[row];
  if (!has(column)) return {};
  switch (column) {
    case kName:
      return name;
    case kCount:
      return group.count;
    case kShare:
      return key.sums->by(key.is_by_lane).percentage(group) / 100;
    case kMean:
      return group.mean();
    case kTotal:
      return group.total;
    case kMin:
      return group.min;
    case kMax:
      return group.max;
    case kSelf:
      return group.self;
    default:
      return group.percentiles[column - kFirstPercentile];
  }
}

SelectionPanel::Table SelectionPanel::make_table(const TableKey& key) {
  Table table;
  table.key = key;
  const query::Statistics& all = key.percentiles ? *key.percentiles : key.sums->by(key.is_by_lane);
  std::vector<std::string> names =
      query::names_of(all.groups, key.is_by_lane ? GroupBy::kLane : GroupBy::kType,
                      key.sums->key.trace->dictionary());
  const TableFilters filters(key.options, kColumns);
  for (size_t i = 0; i < names.size(); ++i) {
    if (filters.takes(kName, names[i])) table.lines.push_back({all.groups[i], std::move(names[i])});
  }
  table.unfiltered = all.groups.size();
  const auto column = sort_column(key.options, kColumns);
  if (!column) return table;
  if (*column == kName) {
    std::ranges::stable_sort(table.lines, {}, &Line::name);
  } else {
    std::ranges::stable_sort(table.lines, {}, [&](const Line& line) {
      return table.has(*column) ? table.value(line.group, *column) : 0;
    });
  }
  if (key.options.is_descending) std::ranges::reverse(table.lines);
  return table;
}

class SelectionPanel::Rows final : public TableRows {
 public:
  Rows(std::shared_ptr<const Table> table, const PanelInput& input)
      : table_(std::move(table)), input_(input) {}
  uint64_t count() const override { return table_ ? table_->lines.size() : 0; }
  TableRow row(uint64_t row) const override {
    TableRow state;
    if (!table_->key.is_by_lane && input_.model) {
      const EventTypeId type(table_->lines[row].group.id);
      state.swatch = render::color_from_rgb(input_.model->palette->color(type));
    }
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return table_->cell(row, column, input_.session.look.time_display);
  }
  std::string identity(uint64_t row) const override { return table_->lines[row].name; }
  Sheet sheet() const override {
    return sheet_of_cells(
        column_ids(kColumns), count(),
        [table = table_](uint64_t row, size_t column) { return table->exact(row, column); });
  }

 private:
  std::shared_ptr<const Table> table_;
  const PanelInput& input_;
};

SelectionPanel::SelectionPanel(const PanelServices& services)
    : sums_(
          [pool = services.pool](const Scope& key,
                                 const std::stop_token& stop) -> std::optional<Sums> {
            auto statistics =
                query::measure_selection(*key.trace, selection_of(key), {*pool, stop});
            if (!statistics) return std::nullopt;
            return Sums{key, std::move(*statistics)};
          },
          services.wake),
      percentiles_(
          [this, services](const PercentilesKey& key,
                           const std::stop_token& stop) -> std::optional<query::Statistics> {
            percent_ = 0;
            const auto tell = [this, &services](double share) {
              const int percent = static_cast<int>(100 * share);
              if (percent_.exchange(percent) != percent && services.wake) services.wake();
            };
            query::Statistics statistics = key.sums->by(key.is_by_lane);
            query::add_percentiles(*key.sums->key.trace, selection_of(key.sums->key),
                                   key.is_by_lane ? GroupBy::kLane : GroupBy::kType,
                                   *query::metric_from_id("duration"), statistics,
                                   {*services.pool, stop}, tell);
            if (stop.stop_requested()) return std::nullopt;
            return statistics;
          },
          services.wake),
      table_(make_table, services.wake) {}

void SelectionPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace() || !input.model) return;
  const OpenTrace& trace = *input.trace;
  Toolbar bar(input, output);
  const bool is_by_lane = bar.choose("by", kTypeOrLane) == "lane";
  bar.gap();
  const TimeRange range = trace.selection.value_or(trace.view().window.range());
  const aggregate::FormulaPtr only = bar.choose_filter();
  const auto sums =
      question_.find(sums_, trace, {trace.trace(), range, trace.selected_lanes, only});
  bool is_stale = sums.is_stale, lacks_percentiles = false;
  if (sums.value && question_.is_of_this(sums.value->key.trace)) {
    const auto percentiles = percentiles_.find({sums.value, is_by_lane});
    lacks_percentiles = percentiles.is_stale;
    // With few states, percentiles are ready at once: the previous table stays until then.
    if (!lacks_percentiles || states_of(sums.value->by(is_by_lane)) > kStatesAtOnce) {
      const auto table = table_.find({sums.value, lacks_percentiles ? nullptr : percentiles.value,
                                      is_by_lane, table_options(input.options)});
      is_stale |= table.is_stale;
      shown_ = table.value;
    }
    is_stale |= lacks_percentiles;
  }
  output.is_stale |= is_stale;
  if (shown_ && !question_.is_of_this(shown_->key.sums->key.trace)) shown_ = nullptr;
  const std::shared_ptr<const Table> shown = shown_;
  if (bar.button("Copy as CSV", shown != nullptr)) {
    output.commands.push_back({"table.copy", {{"panel", input.id}}});
  }
  bar.say(fmt::format("{} of {}, {}", trace.selection ? "the selection" : "the window",
                      length_label(range.length(), trace), lanes_summed_up(input)));

  TableInput view{input, bar.below(), kColumns, kName};
  view.is_stale = is_stale;
  view.nothing = trace.trace()->counts()[trace::Category::kState] == 0
                     ? "The trace holds no states, whose times are summed up here"
                     : "No states here: select or show a longer stretch of time";
  if (shown) {
    const char* noun = is_by_lane ? "lane" : "type";
    view.footer =
        shown->lines.size() == shown->unfiltered
            ? counted(shown->unfiltered, noun)
            : format_count(shown->lines.size()) + " of " + counted(shown->unfiltered, noun);
    if (lacks_percentiles && !shown->key.percentiles)
      view.footer += fmt::format(" · percentiles {} %", percent_.load());
    view.caution = caution_of(trace.trace()->dictionary().report);
  }
  view_.draw(view, Rows(shown, input), output);
}

}  // namespace weft::app
