#include "app/panels/figures/duration_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/panels/filter_sign.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/session/losses.h"
#include "app/session/option_choices.h"
#include "core/base/text.h"
#include "core/layout/length_ticks.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::app {
namespace {

constexpr size_t kBins = 96;
constexpr float kTypesPx = 260;
constexpr float kLeastWidthPx = 620;   // narrower panels do without the list of types
constexpr float kLeastHeightPx = 400;  // lower ones list what is in a bar beside the bars
constexpr const char* kQuantileNames[] = {"p50", "p90", "p99", "p99.9"};

constexpr TableColumn kTypeColumns[] = {
    {.id = "name", .title = "Type", .width_px = 160, .has_filter = true},
    {.id = "count", .title = "Count", .width_px = 84, .is_number = true},
};

// The types chosen, without those that the trace does not have: they were chosen in another one.
std::set<std::string> chosen_types(const Json& options, const trace::Dictionary& dictionary,
                                   query::LengthsOf of) {
  const trace::Category category =
      of == query::LengthsOf::kStates ? trace::Category::kState : trace::Category::kLink;
  std::set<std::string> names;
  const auto types = options.find("types");
  if (types == options.end() || !types->is_array()) return names;
  for (const Json& name : *types) {
    if (!name.is_string()) continue;
    const auto& chosen = name.get_ref<const std::string&>();
    const bool is_there = std::ranges::any_of(dictionary.types, [&](const trace::EventType& type) {
      return type.category == category && type.name == chosen;
    });
    if (is_there) names.insert(chosen);
  }
  return names;
}

aggregate::FormulaPtr where_id(aggregate::Condition::On on, std::vector<bool> ids) {
  aggregate::Condition condition;
  condition.on = on;
  condition.ids = std::move(ids);
  return aggregate::where(std::move(condition));
}

// "state": what has lengths.
const char* noun_of(query::LengthsOf of) {
  return of == query::LengthsOf::kStates ? "state" : "message";
}

aggregate::FormulaPtr events_of(const DurationKey& key) {
  using On = aggregate::Condition::On;
  const bool is_of_states = key.of == query::LengthsOf::kStates;
  std::vector<bool> categories(trace::kCategoryCount);
  categories[static_cast<size_t>(is_of_states ? trace::Category::kState : trace::Category::kLink)] =
      true;
  aggregate::FormulaPtr formula = where_id(On::kCategory, std::move(categories));
  if (key.types.empty()) return formula;
  std::vector<bool> ids;
  for (const trace::EventType& type : key.trace->dictionary().types) {
    ids.push_back(key.types.contains(std::string(type.name)));
  }
  return aggregate::all_of(formula, where_id(On::kType, std::move(ids)));
}

// "states “poll”": what there is none of.
std::string missing(const DurationKey& key) {
  const std::string all = std::string(noun_of(key.of)) + "s";
  if (key.types.empty()) return all;
  return key.types.size() == 1 ? fmt::format("{} “{}”", all, short_name(*key.types.begin(), 60))
                               : all + " of the chosen types";
}

// The key's events as an expression.
std::string filter_of(const DurationKey& key) {
  const bool is_of_states = key.of == query::LengthsOf::kStates;
  std::string text = is_of_states ? "category == state" : "category == link";
  std::string names;
  for (const std::string& name : key.types) {
    names += (names.empty() ? "" : ", ") + query::quoted_for_filter(name);
  }
  if (!names.empty()) text += " && type in [" + names + "]";
  return text;
}

class TypeRows final : public TableRows {
 public:
  TypeRows(const PanelInput& input, std::shared_ptr<const Measured> measured,
           const std::set<std::string>& chosen)
      : input_(input), measured_(std::move(measured)), chosen_(chosen) {
    if (!measured_) return;
    const TableOptions options = table_options(input.options, "types.");
    const TableFilters filters(options, kTypeColumns);
    for (const Measured::Item& item : measured_->items) {
      if (filters.takes(0, item.name)) items_.push_back(&item);
    }
    const auto by = sort_column(options, kTypeColumns);
    if (!by) return;  // those that are most come first
    const bool is_by_name = *by == 0;
    if (is_by_name)
      std::ranges::stable_sort(items_, {}, [](const auto* item) { return item->name; });
    if (options.is_descending == is_by_name) std::ranges::reverse(items_);
  }
  uint64_t count() const override { return items_.size(); }
  TableRow row(uint64_t row) const override {
    TableRow state;
    state.is_selected = chosen_.contains(name(row));
    const EventTypeId type(items_[row]->group.id);
    if (input_.model) state.swatch = render::color_from_rgb(input_.model->palette->color(type));
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return column == 0 ? items_[row]->name : format_count(items_[row]->group.count);
  }
  std::string identity(uint64_t row) const override { return items_[row]->name; }
  Sheet sheet() const override {
    return sheet_of_cells(column_ids(kTypeColumns), count(),
                          [all = measured_, items = items_](uint64_t row, size_t column) -> Cell {
                            if (column == 0) return items[row]->name;
                            return items[row]->group.count;
                          });
  }
  std::string name(uint64_t row) const {
    return std::string(measured_->key.trace->dictionary().types[items_[row]->group.id].name);
  }

 private:
  const PanelInput& input_;
  std::shared_ptr<const Measured> measured_;
  const std::set<std::string>& chosen_;
  std::vector<const Measured::Item*> items_;
};

struct QuantileLabel {
  double x;
  std::string text;
};

// "p90, p99 16.6 ms": quantiles at one place that read alike share one label. At others they have
// digits that tell them apart.
std::vector<QuantileLabel> quantile_labels(const PanelInput& input,
                                           const layout::LengthAxis& lengths,
                                           const query::DurationBins& bins,
                                           std::span<const size_t> which) {
  std::vector<QuantileLabel> labels;
  with_enough_digits([&](int digits) {
    labels.clear();
    std::string names, last;
    bool are_told_apart = true;
    for (const size_t q : which) {
      const std::string length = length_label({bins.quantiles[q]}, *input.trace, digits);
      const double x = lengths.x_of_mark(bins.quantiles[q]);
      const bool reads_alike = !labels.empty() && length == last;
      const bool is_alike = reads_alike && std::round(x) == std::round(labels.back().x);
      are_told_apart &= is_alike || !reads_alike;
      names = (is_alike ? names + ", " : "") + kQuantileNames[q];
      if (!is_alike) labels.push_back({x, ""});
      labels.back().text = names + " " + length;
      last = length;
    }
    return are_told_apart;
  });
  return labels;
}

// If there is no room for all labels, p99.9 and then p90 get none.
void draw_quantiles(const PanelInput& input, const Area& bars, const layout::LengthAxis& lengths,
                    const query::DurationBins& bins) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const int64_t length : bins.quantiles) {
    const float x = std::round(bars.x0 + static_cast<float>(lengths.x_of_mark(length)));
    list.AddRectFilled({x, bars.y0 - 2 * input.scale}, {x + 1, bars.y1},
                       faded(input.theme.warning, 0.8F));
  }
  constexpr size_t kAll[] = {0, 1, 2, 3}, kMost[] = {0, 1, 2}, kFew[] = {0, 2};
  std::vector<QuantileLabel> labels;
  std::vector<double> lefts;
  for (const std::span<const size_t> which :
       {std::span<const size_t>(kAll), std::span<const size_t>(kMost),
        std::span<const size_t>(kFew)}) {
    labels = quantile_labels(input, lengths, bins, which);
    std::vector<layout::SpreadLabel> places;
    for (const QuantileLabel& label : labels)
      places.push_back({label.x, static_cast<double>(text_width(label.text))});
    lefts = layout::spread(places, static_cast<double>(bars.width()), 8.0 * input.scale);
    if (lefts.front() >= 0) break;
  }
  for (size_t i = 0; i < lefts.size(); ++i)
    draw_text(
        list,
        {bars.x0 + static_cast<float>(lefts[i]), bars.y0 - ImGui::GetFontSize() - 4 * input.scale},
        input.theme.warning, labels[i].text, text_width(labels[i].text) + 1);
}

// The bars of these lengths; nullopt where they end elsewhere.
std::optional<BarRange> bars_of(const std::vector<int64_t>& borders, int64_t least, int64_t end) {
  const auto first = std::ranges::lower_bound(borders, least);
  const auto behind = std::ranges::lower_bound(borders, end);
  if (first == borders.end() || behind == borders.end() || behind <= first) return std::nullopt;
  if (*first != least || *behind != end) return std::nullopt;
  return BarRange{static_cast<size_t>(first - borders.begin()),
                  static_cast<size_t>(behind - borders.begin()) - 1};
}

// The bar at `x` from the left, or the nearest one.
size_t bar_at(const layout::LengthAxis& lengths, size_t bars, double x) {
  size_t bar = 0;
  while (bar + 1 < bars && lengths.bin(bar).x1 <= x) ++bar;
  return bar;
}

Sheet sheet_of(const query::DurationBins& bins) {
  return sheet_of_cells({"least", "end", "count", "density"}, bins.counts.size(),
                        [bins](uint64_t bin, size_t column) -> Cell {
                          if (column == 2) return bins.counts[bin];
                          if (column == 3) return bins.density(bin);
                          return bins.borders[bin + column];
                        });
}

}  // namespace

DurationPanel::DurationPanel(const PanelServices& services)
    : types_(
          [pool = services.pool](const MeasureKey& key, const std::stop_token& stop) {
            auto measured = measure_slices(key, *pool, stop);
            if (measured) {
              std::ranges::stable_sort(measured->items, std::ranges::greater(),
                                       [](const auto& item) { return item.group.count; });
            }
            return measured;
          },
          services.wake),
      bins_(
          [pool = services.pool](const DurationKey& key,
                                 const std::stop_token& stop) -> std::optional<Shown> {
            query::Selection selection = selection_of(key);
            selection.narrow(*key.trace, events_of(key));
            auto bins = query::duration_bins(*key.trace, selection, key.of, key.scale, kBins,
                                             {*pool, stop});
            if (!bins) return std::nullopt;
            return Shown{key, std::move(*bins)};
          },
          services.wake),
      list_(services) {}

std::optional<DurationPanel::Bin> DurationPanel::chosen_bin(const Json& options) {
  const auto bin = options.find("bin");
  const bool is_pair = bin != options.end() && bin->is_array() && bin->size() == 2 &&
                       (*bin)[0].is_number_integer() && (*bin)[1].is_number_integer();
  if (!is_pair) return std::nullopt;
  return Bin{(*bin)[0].get<int64_t>(), (*bin)[1].get<int64_t>()};
}

void DurationPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) return;
  DurationKey key;
  Area area;
  bool is_density = false;
  {
    Toolbar bar(input, output);
    static_cast<Scope&>(key) = bar.choose_scope();
    key.only = bar.choose_filter();
    if (bar.choose("of", kLengthsOf) == "messages") key.of = query::LengthsOf::kMessages;
    key.types = chosen_types(input.options, key.trace->dictionary(), key.of);
    key.scale = bar.choose("scale", kLengthScales) == "linear" ? query::BinScale::kLinear
                                                               : query::BinScale::kLogarithmic;
    is_density = bar.choose("height", kLengthHeights) == "density";
    area = bar.below();
  }
  if (area.width() > kLeastWidthPx * input.scale) {
    Area types = area;
    types.x1 = area.x0 = types.x0 + std::round(kTypesPx * input.scale);
    draw_types(input, types, key, output);
  }
  const auto found = bins_question_.find(bins_, *input.trace, key, is_filter_pending(input));
  output.is_stale |= found.is_stale;
  if (!found.value || !bins_question_.is_of_this(found.value->key.trace)) return;
  const std::optional<Bin> bin = chosen_bin(input.options);
  // The main table is that of the bins, unless one of them lists its states.
  for (const char* table : {"bins", ""}) {
    if (bin && *table == '\0') continue;
    offer_sheet(input, table, found.is_stale, [&] { return sheet_of(found.value->bins); }, output);
  }
  if (found.value->bins.count == 0) {
    const bool is_states = key.of == query::LengthsOf::kStates;
    draw_notice(input, area,
                is_states ? nothing_here(input, missing(key), trace::Category::kState)
                          : no_latencies_here(input, missing(key)));
    return;
  }
  Area bars = area;
  if (bin) {
    Area list = area;
    if (area.height() < kLeastHeightPx * input.scale && area.width() > kLeastWidthPx * input.scale)
      list.x0 = bars.x1 = area.x0 + std::round(area.width() * 0.5F);
    else
      list.y0 = bars.y1 = area.y0 + std::round(area.height() * 0.5F);
    draw_list(input, list, {key, *bin}, output);
  }
  draw_bars(input, bars, *found.value, is_density, bin, output);
  menu_.draw(input, output);
}

void DurationPanel::draw_types(const PanelInput& input, const Area& area, const DurationKey& key,
                               PanelOutput& output) {
  const std::string_view id = key.of == query::LengthsOf::kStates ? "duration" : "latency";
  const auto metric = std::ranges::find(slice_metrics(), id, &SliceMetric::id);
  const auto found = types_question_.find(
      types_, *input.trace, {key, &*metric, query::GroupBy::kType}, is_filter_pending(input));
  output.is_stale |= found.is_stale;
  const bool is_of_this = found.value && types_question_.is_of_this(found.value->key.trace);
  const TypeRows rows(input, is_of_this ? found.value : nullptr, key.types);
  TableInput shown{input, area, kTypeColumns};
  shown.prefix = "types.";
  shown.is_stale = found.is_stale;
  shown.footer = key.types.empty() ? "all types; click to choose"
                                   : counted(key.types.size(), "type") + " chosen";
  const TableAnswer answer = types_view_.draw(shown, rows, output);
  if (!answer.clicked) return;
  std::set<std::string> types;
  if (answer.is_added) types = key.types;
  const std::string name = rows.name(*answer.clicked);
  if (!types.erase(name) && !(key.types.size() == 1 && key.types.contains(name))) {
    types.insert(name);
  }
  output.commands.push_back(set_option(input, "types", types.empty() ? Json() : Json(types)));
}

void DurationPanel::draw_bars(const PanelInput& input, const Area& area, const Shown& shown,
                              bool is_density, const std::optional<Bin>& chosen,
                              PanelOutput& output) {
  const query::DurationBins& bins = shown.bins;
  ImGui::PushFont(input.fonts.small);
  const float line = ImGui::GetFontSize() + 6 * input.scale;
  const float pad = 10 * input.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::vector<double> values;
  values.reserve(bins.counts.size());
  for (size_t i = 0; i < bins.counts.size(); ++i)
    values.push_back(is_density ? bins.density(i) : static_cast<double>(bins.counts[i]));
  const Area bars = {area.x0 + pad + heights_width(input, values, !is_density), area.y0 + 2 * line,
                     area.x1 - pad, area.y1 - line};
  const layout::LengthAxis lengths(bins.borders, static_cast<double>(bars.width()),
                                   shown.key.scale == query::BinScale::kLogarithmic);
  LengthBars shown_bars{input, bars, lengths, values, !is_density};
  if (chosen) shown_bars.chosen = bars_of(bins.borders, chosen->least, chosen->end);
  if (chosen && !shown_bars.chosen) {  // of other bins: another window's, or another scale's
    const auto x_of = [&](int64_t length) {
      return bars.x0 + static_cast<float>(lengths.x_of(length));
    };
    const float x0 = std::round(x_of(chosen->least));
    list.AddRectFilled({x0, bars.y0}, {std::max(x0 + 1, x_of(chosen->end)), bars.y1},
                       input.theme.selection);
  }
  handle_bars(shown, shown_bars, output);
  const double most = std::ranges::max(values);
  const auto& types = shown.key.types;
  const std::string of = types.empty()       ? ""
                         : types.size() == 1 ? short_name(*types.begin(), 60) + ":  "
                                             : counted(types.size(), "type") + ":  ";
  const std::string facts = fmt::format(
      "{}{}  ·  {}  ·  {}", of, counted(bins.count, noun_of(shown.key.of)),
      length_range_label({bins.least}, {bins.most}, *input.trace),
      is_density ? fmt::format("at most {:.3g} per tick, area 1", most)
                 : fmt::format("at most {} in a bin", format_count(static_cast<uint64_t>(most))));
  const ImVec2 at = {bars.x0, area.y0 + 5 * input.scale};
  draw_text(list, at, input.theme.text_dim, facts, bars.width());
  const float caution_x = at.x + text_width(facts) + 12 * input.scale;
  draw_text(list, {caution_x, at.y}, input.theme.warning, caution_of(*shown.key.trace),
            bars.x1 - caution_x);
  draw_quantiles(input, bars, lengths, bins);
  ImGui::PopFont();
}

void DurationPanel::handle_bars(const Shown& shown, LengthBars bars, PanelOutput& output) {
  const PanelInput& input = bars.input;
  const std::optional<BarRange> chosen = bars.chosen;
  const size_t last = bars.values.size() - 1;
  std::optional<BarRange> dragged;
  if (dragged_from_) {
    const auto x = static_cast<double>(ImGui::GetIO().MousePos.x - bars.area.x0);
    const auto [from, to] =
        std::minmax({std::min(*dragged_from_, last), bar_at(bars.lengths, last + 1, x)});
    bars.chosen = dragged = BarRange{from, to};
  }
  const auto hovered = draw_length_bars(bars);
  if (!hovered && !dragged) return;
  const bool is_of_chosen = hovered && chosen && chosen->contains(*hovered);
  const BarRange pointed = dragged.value_or(hovered ? BarRange{*hovered, *hovered} : BarRange{});
  const Bin bin = {shown.bins.borders[pointed.first], shown.bins.borders[pointed.last + 1]};
  const auto count_of = [&](const BarRange& range) {
    return std::reduce(shown.bins.counts.begin() + static_cast<ptrdiff_t>(range.first),
                       shown.bins.counts.begin() + static_cast<ptrdiff_t>(range.last) + 1,
                       uint64_t{0});
  };
  const uint64_t count = count_of(pointed);
  ImGui::BeginTooltip();
  show_text(counted(count, noun_of(shown.key.of)));
  const bool is_of_zero = pointed.last == 0 && bars.lengths.has_zero_apart();
  show_text(length_range_label({bin.least}, {is_of_zero ? bin.least : bin.end}, *input.trace),
            input.theme.text_dim);
  const double share = 100 * static_cast<double>(count) / static_cast<double>(shown.bins.count);
  show_text(fmt::format("{:.2f} % of {}", share, counted(shown.bins.count, noun_of(shown.key.of))),
            input.theme.text_dim);
  if (!dragged)
    show_text(
        is_of_chosen ? "Escape closes the list" : "A click lists them, a drag those of several",
        input.theme.text_dim);
  ImGui::EndTooltip();
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragged_from_ = *hovered;
  if (dragged && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    dragged_from_.reset();
    if (!ImGui::IsMouseReleased(ImGuiMouseButton_Left)) return;  // it was released elsewhere
    const bool closes = dragged == chosen || count == 0;
    output.commands.push_back(
        set_option(input, "bin", closes ? Json() : Json::array({bin.least, bin.end})));
  }
  if (!hovered || !ImGui::IsMouseClicked(ImGuiMouseButton_Right)) return;
  const BarRange meant = is_of_chosen ? *chosen : pointed;
  if (const uint64_t of_menu = count_of(meant); of_menu > 0)
    open_menu(input, shown.key,
              {shown.bins.borders[meant.first], shown.bins.borders[meant.last + 1]}, of_menu,
              is_of_chosen);
}

void DurationPanel::open_menu(const PanelInput& input, const DurationKey& key, const Bin& bin,
                              uint64_t count, bool is_listed) {
  const bool is_of_states = key.of == query::LengthsOf::kStates;
  const std::string least = length_label({bin.least}, *input.trace);
  const char* field = is_of_states ? "dur" : "latency";
  // From 0 on are all: what was received before it was sent, too, which counts as 0.
  std::string longer = filter_of(key);
  if (bin.least > 0) longer += fmt::format(" && {} >= {}", field, bin.least);
  std::vector<EventsMenu::Entry> others;
  if (bin.least > 0) others.push_back({"Filter to " + least + " and longer", longer});
  menu_.open({.text = counted(count, noun_of(key.of)) + ", " +
                      length_range_label({bin.least}, {bin.end}, *input.trace),
              .filter = fmt::format("{} && {} < {}", longer, field, bin.end),
              .pass_filter = key.only != nullptr,
              .are_messages = !is_of_states,
              .others = std::move(others),
              .own = Offered{
                  set_option(input, "bin", is_listed ? Json() : Json::array({bin.least, bin.end})),
                  is_listed ? "Close the list" : "List these here"}});
}

void DurationPanel::draw_list(const PanelInput& input, const Area& area, const ListKey& key,
                              PanelOutput& output) {
  if (listed_ != key) {
    listed_ = key;
    aggregate::Condition condition;
    const bool is_of_states = key.of.of == query::LengthsOf::kStates;
    condition.on =
        is_of_states ? aggregate::Condition::On::kDuration : aggregate::Condition::On::kLatency;
    condition.ticks = {key.bin.least, key.bin.end - 1};
    // Messages received before they were sent count as 0.
    if (!is_of_states && key.bin.least == 0) condition.ticks.least = INT64_MIN;
    formula_ = aggregate::all_of(events_of(key.of), aggregate::where(std::move(condition)));
    if (key.of.only) formula_ = aggregate::all_of(formula_, key.of.only);
  }
  Scope scope = key.of;
  scope.only = formula_;
  list_.draw(input, area, {std::move(scope), table_options(input.options)}, output);
}

}  // namespace weft::app
