#include "app/panels/figures/selection_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/session/losses.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

enum Column : size_t { kName, kCount, kTotal, kShare, kMean, kMin, kMax, kSelf, kFirstPercentile };

constexpr TableColumn kColumns[] = {
    {"name", "Name", 220, false, true}, {"count", "Count", 90, true}, {"total", "Total", 100, true},
    {"share", "%", 60, true},           {"mean", "Mean", 90, true},   {"min", "Shortest", 90, true},
    {"max", "Longest", 90, true},       {"self", "Self", 100, true},  {"p50", "p50", 90, true},
    {"p90", "p90", 90, true},           {"p95", "p95", 90, true},     {"p99", "p99", 90, true}};
static_assert(std::size(kColumns) == kFirstPercentile + query::kPercentiles.size());

}  // namespace

std::string SelectionPanel::Table::name_of(const query::Group& group) const {
  const trace::Dictionary& dictionary = key.sums->key.trace->dictionary();
  return key.is_by_lane ? dictionary.path_text(LaneId(group.id))
                        : dictionary.type(EventTypeId(group.id)).name;
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
  const query::Group& group = groups[row];
  if (column == kName) return name_of(group);
  if (column == kCount) return format_count(group.count);
  if (column == kShare) {
    const query::SelectionStatistics& all = key.sums->statistics;
    const double share = (key.is_by_lane ? all.by_lane : all.by_type).percentage(group);
    return fmt::format("{:.1f}", share);
  }
  return length_label(display, {static_cast<int64_t>(value(group, column))},
                      key.sums->key.trace->dictionary().time_base);
}

// In ticks: exact, and for programs.
Cell SelectionPanel::Table::exact(size_t row, size_t column) const {
  const query::Group& group = groups[row];
  const query::SelectionStatistics& all = key.sums->statistics;
  switch (column) {
    case kName:
      return name_of(group);
    case kCount:
      return group.count;
    case kShare:
      return (key.is_by_lane ? all.by_lane : all.by_type).percentage(group);
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
  const query::SelectionStatistics& all = key.sums->statistics;
  table.groups = (key.is_by_lane ? all.by_lane : all.by_type).groups;
  table.unfiltered = table.groups.size();
  const TableFilters filters(key.options, kColumns);
  std::erase_if(table.groups, [&](const query::Group& group) {
    return !filters.takes(kName, table.name_of(group));
  });
  const auto column = sort_column(key.options, kColumns);
  if (!column) return table;
  if (*column == kName) {
    std::ranges::stable_sort(table.groups, {}, [&](const auto& g) { return table.name_of(g); });
  } else {
    std::ranges::stable_sort(table.groups, {},
                             [&](const auto& g) { return table.value(g, *column); });
  }
  if (key.options.is_descending) std::ranges::reverse(table.groups);
  return table;
}

class SelectionPanel::Rows final : public TableRows {
 public:
  Rows(std::shared_ptr<const Table> table, const PanelInput& input)
      : table_(std::move(table)), input_(input) {}
  uint64_t count() const override { return table_ ? table_->groups.size() : 0; }
  TableRow row(uint64_t row) const override {
    TableRow state;
    if (!table_->key.is_by_lane && input_.model) {
      const EventTypeId type(table_->groups[row].id);
      state.swatch = render::color_from_rgb(input_.model->palette->color(type));
    }
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return table_->cell(row, column, input_.session.look.time_display);
  }
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
      table_(make_table, services.wake) {}

void SelectionPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace() || !input.model) return;
  const OpenTrace& trace = *input.trace;
  Toolbar bar(input, output);
  const bool is_by_lane = bar.choose("by", kTypeOrLane) == "lane";
  bar.gap();
  const TimeRange range = trace.selection.value_or(trace.view().window.range());
  const aggregate::FormulaPtr only = bar.choose_filter();
  const auto sums = sums_.find({trace.trace(), range, trace.selected_lanes, only});
  output.is_stale |= sums.is_stale;
  const bool is_of_this = sums.value && sums.value->key.trace == trace.trace();
  render::Latest<TableKey, Table>::Found table;
  if (is_of_this) {
    table = table_.find({sums.value, is_by_lane, table_options(input.options)});
    output.is_stale |= table.is_stale;
  }
  const bool is_shown = table.value && table.value->key.sums->key.trace == trace.trace();
  const auto shown = is_shown ? table.value : nullptr;
  if (bar.button("Copy as CSV", shown != nullptr)) {
    output.commands.push_back({"table.copy", {{"panel", input.id}}});
  }
  bar.say(fmt::format(
      "{} of {}, {}", trace.selection ? "the selection" : "the window",
      length_label(range.length(), trace),
      trace.selected_lanes.empty() ? "all lanes" : counted(trace.selected_lanes.size(), "lane")));

  TableInput view{input, bar.below(), kColumns, kName};
  view.is_stale = sums.is_stale || table.is_stale;
  view.nothing = trace.trace()->counts()[trace::Category::kState] == 0
                     ? "The trace holds no states, whose times are summed up here"
                     : "No states here: select or show a longer stretch of time";
  if (shown) {
    const char* noun = is_by_lane ? "lane" : "type";
    view.footer =
        shown->groups.size() == shown->unfiltered
            ? counted(shown->unfiltered, noun)
            : format_count(shown->groups.size()) + " of " + counted(shown->unfiltered, noun);
    view.caution = caution_of(trace.trace()->dictionary().report);
  }
  view_.draw(view, Rows(shown, input), output);
}

}  // namespace weft::app
