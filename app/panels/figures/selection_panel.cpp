#include "app/panels/figures/selection_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/filter_sign.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/session/losses.h"
#include "app/session/option_choices.h"
#include "core/base/text.h"
#include "core/query/link_ends.h"
#include "core/query/metrics/percentiles.h"

namespace weft::app {
namespace {

using query::GroupBy;
using trace::Category;

constexpr uint64_t kValuesAtOnce = uint64_t{1} << 20;  // whose percentiles take a moment

// In the order of kSummedUp.
struct SummedCategory {
  Category category;
  const char* nouns;
};
constexpr SummedCategory kSummedCategories[] = {{Category::kState, "states"},
                                                {Category::kPunctual, "punctual events"},
                                                {Category::kLink, "links"},
                                                {Category::kVariable, "values of variables"}};
static_assert(std::size(kSummedCategories) == std::size(kSummedUp));

template <class Rows>
size_t index_of_choice(const Rows& choices, std::string_view id) {
  return static_cast<size_t>(std::ranges::find(choices, id, &Choice::id) - std::begin(choices));
}

uint64_t values_in(const query::Statistics& statistics) {
  uint64_t values = 0;
  for (const query::Group& group : statistics.groups) values += group.count;
  return values;
}

std::string lanes_summed_up(const PanelInput& input) {
  const std::vector<LaneId>& selected = input.trace->selected_lanes;
  if (!selected.empty()) return counted(selected.size(), "lane");
  const uint32_t hidden = input.model->lanes_left_out - input.model->order.eventless;
  return hidden > 0 ? fmt::format("all lanes, also {} hidden", format_count(hidden)) : "all lanes";
}

// Offers what the trace has, and how it may be grouped.
const SummedCategory& choose_what(const store::Trace& trace, Toolbar& bar, GroupBy& by) {
  std::vector<Choice> present;
  for (size_t i = 0; i < std::size(kSummedUp); ++i) {
    if (trace.counts()[kSummedCategories[i].category] > 0) present.push_back(kSummedUp[i]);
  }
  if (present.empty()) present.push_back(kSummedUp[0]);
  std::string of(present.front().id);
  if (present.size() > 1) {
    of = bar.choose("of", present);
    bar.gap();
  }
  const SummedCategory& chosen = kSummedCategories[index_of_choice(kSummedUp, of)];
  const bool has_pairs = chosen.category == Category::kLink;
  const std::string grouped = bar.choose("by", has_pairs ? Choices(kTypeLaneOrPair) : kTypeOrLane);
  by = static_cast<GroupBy>(index_of_choice(kTypeLaneOrPair, grouped));
  return chosen;
}

const char* noun_of_line(const SelectionQuestion& question) {
  if (question.by == GroupBy::kType) return "type";
  if (question.by == GroupBy::kPair) return "pair";
  return question.category == Category::kVariable ? "variable" : "lane";
}

std::string footer_of(const SelectionTable& table) {
  const char* noun = noun_of_line(table.question());
  std::string footer = table.size() == table.unfiltered() ? counted(table.unfiltered(), noun)
                                                          : format_count(table.size()) + " of " +
                                                                counted(table.unfiltered(), noun);
  const bool lacks_latencies = table.question().category == Category::kLink && table.size() > 0 &&
                               !table.question().trace->knows_latencies();
  if (lacks_latencies) footer += " · " + std::string(query::kLatenciesUnknown);
  return footer;
}

}  // namespace

class SelectionPanel::Rows final : public TableRows {
 public:
  Rows(std::shared_ptr<const SelectionTable> table, const PanelInput& input)
      : table_(std::move(table)), input_(input) {}
  uint64_t count() const override { return table_ ? table_->size() : 0; }
  TableRow row(uint64_t row) const override {
    TableRow state;
    const auto type = table_->type(row);
    if (type && input_.model)
      state.swatch = render::color_from_rgb(input_.model->palette->color(*type));
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return table_->cell(row, column, input_.session.look.time_display);
  }
  std::string identity(uint64_t row) const override { return table_->name(row); }
  Sheet sheet() const override {
    return sheet_of_cells(
        column_ids(SelectionTable::columns_of(table_->question().category)), count(),
        [table = table_](uint64_t row, size_t column) { return table->exact(row, column); });
  }

 private:
  std::shared_ptr<const SelectionTable> table_;
  const PanelInput& input_;
};

SelectionPanel::SelectionPanel(const PanelServices& services)
    : sums_(
          [pool = services.pool](const SelectionQuestion& key,
                                 const std::stop_token& stop) -> std::optional<SelectionSums> {
            auto statistics = query::measure_selection(*key.trace, selection_of(key), key.category,
                                                       key.by, {*pool, stop});
            if (!statistics) return std::nullopt;
            return SelectionSums{key, std::move(*statistics)};
          },
          services.wake),
      percentiles_(
          [this, services](const SumsPtr& sums,
                           const std::stop_token& stop) -> std::optional<query::Statistics> {
            percent_ = 0;
            const auto tell = [this, &services](double share) {
              const int percent = static_cast<int>(100 * share);
              if (percent_.exchange(percent) != percent && services.wake) services.wake();
            };
            const SelectionQuestion& key = sums->key;
            query::Statistics statistics = sums->statistics.values;
            query::add_percentiles(*key.trace, selection_of(key), key.by,
                                   *query::value_metric_of(key.category), statistics,
                                   {*services.pool, stop}, tell);
            if (stop.stop_requested()) return std::nullopt;
            return statistics;
          },
          services.wake),
      table_([](const SelectionTableKey& key) { return SelectionTable(key); }, services.wake) {}

bool SelectionPanel::update(const PanelInput& input, const SelectionQuestion& question) {
  const auto sums = question_.find(sums_, *input.trace, question, is_filter_pending(input));
  bool is_stale = sums.is_stale;
  lacks_percentiles_ = false;
  if (sums.value && question_.is_of_this(sums.value->key.trace)) {
    std::shared_ptr<const query::Statistics> with_percentiles;
    if (SelectionTable::has_percentiles(sums.value->key.category)) {
      const auto percentiles = percentiles_.find(sums.value);
      lacks_percentiles_ = percentiles.is_stale;
      if (!lacks_percentiles_) with_percentiles = percentiles.value;
    }
    // With few values, percentiles are ready at once: the previous table stays until then.
    if (!lacks_percentiles_ || values_in(sums.value->statistics.values) > kValuesAtOnce) {
      const auto table = table_.find({sums.value, with_percentiles, table_options(input.options),
                                      input.session.look.time_display});
      is_stale |= table.is_stale;
      shown_ = table.value;
    }
    is_stale |= lacks_percentiles_;
  }
  if (shown_ && !question_.is_of_this(shown_->question().trace)) shown_ = nullptr;
  return is_stale;
}

void SelectionPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace() || !input.model) return;
  const OpenTrace& trace = *input.trace;
  Toolbar bar(input, output);
  SelectionQuestion question;
  const SummedCategory& summed = choose_what(*trace.trace(), bar, question.by);
  bar.gap();
  question.trace = trace.trace();
  question.range = trace.selection.value_or(trace.view().window.range());
  question.lanes = trace.selected_lanes;
  question.only = bar.choose_filter();
  question.category = summed.category;
  const bool is_stale = update(input, question);
  output.is_stale |= is_stale;
  // A table of another category has other columns: those that are chosen stay empty until then.
  const bool is_of_category = shown_ && shown_->question().category == summed.category;
  const std::shared_ptr<const SelectionTable> shown = is_of_category ? shown_ : nullptr;
  if (bar.button("Copy as CSV", shown != nullptr)) {
    output.commands.push_back({"table.copy", {{"panel", input.id}}});
  }
  bar.say(fmt::format("{} of {}, {}", trace.selection ? "the selection" : "the window",
                      length_label(trace.selection.value_or(range_shown(trace)).length(), trace),
                      lanes_summed_up(input)));

  TableInput view{input, bar.below(), SelectionTable::columns_of(summed.category), 0};
  view.is_stale = is_stale;
  view.nothing =
      trace.trace()->counts().total() == 0 ? "The trace holds no events, which are summed up here"
      : question.only
          ? fmt::format("No {} in {} pass the filter", summed.nouns,
                        trace.selection ? "the selection" : "the window")
          : fmt::format("No {} here: select or show a longer stretch of time", summed.nouns);
  if (shown) {
    view.footer = footer_of(*shown);
    if (lacks_percentiles_ && !shown->key().percentiles)
      view.footer += fmt::format(" · percentiles {} %", percent_.load());
    view.caution = caution_of(*trace.trace());
  }
  view_.draw(view, Rows(shown, input), output);
}

}  // namespace weft::app
