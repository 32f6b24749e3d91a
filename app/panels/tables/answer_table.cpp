#include "app/panels/tables/answer_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "app/panels/toolbar.h"
#include "core/base/saturating.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kNumberPx = 110;  // wide

// Numbers before texts, nothing before both.
bool is_before(const Cell& a, const Cell& b) {
  const auto number = [](const Cell& cell) -> std::optional<double> {
    if (const auto* value = std::get_if<int64_t>(&cell)) return static_cast<double>(*value);
    if (const auto* value = std::get_if<double>(&cell)) return *value;
    return std::nullopt;
  };
  const auto* x = std::get_if<int64_t>(&a);
  const auto* y = std::get_if<int64_t>(&b);
  if (x && y) return *x < *y;
  const auto p = number(a), q = number(b);
  if (p && q) return *p < *q;
  if (a.index() != b.index()) return a.index() < b.index();
  const auto* s = std::get_if<std::string>(&a);
  return s && *s < std::get<std::string>(b);
}

// How many rows above it are of other elements that are equal but for their parameters.
uint32_t twins_above(const SqlAnswer& answer, uint64_t row, trace::Category category) {
  const auto params = answer.column("params_id");
  const bool has_all = params && (category != trace::Category::kState || answer.column("depth"));
  if (!has_all) return 0;    // one event may be in several rows
  std::vector<size_t> same;  // columns
  const auto add = [&](const char* name) {
    if (const auto column = answer.column(name)) same.push_back(*column);
  };
  for (const char* name : {"begin", "time", "send", "lane_id", "type_id"}) add(name);
  if (category == trace::Category::kState) add("depth");
  if (category == trace::Category::kLink) add("dur");
  std::set<Cell> others;
  for (uint64_t i = 0; i < row; ++i) {
    const bool is_twin = std::ranges::all_of(
        same, [&](size_t column) { return answer.rows[i][column] == answer.rows[row][column]; });
    if (is_twin && answer.rows[i][*params] != answer.rows[row][*params])
      others.insert(answer.rows[i][*params]);
  }
  return static_cast<uint32_t>(others.size());
}

// The command that goes to what a row names: an element, or a time.
std::optional<Command> way_to(const OpenTrace& trace, const SqlAnswer& answer, uint64_t row) {
  std::optional<int64_t> begin;
  for (const char* column : {"begin", "time", "send"}) {
    if (!begin) begin = answer.integer(row, column);
  }
  if (!begin) return std::nullopt;
  const auto lane = answer.integer(row, "lane_id");
  const auto type = answer.integer(row, "type_id");
  const trace::Dictionary& dictionary = trace.trace()->dictionary();
  const bool is_known = lane && type && *lane >= 0 && *type >= 0 &&
                        static_cast<size_t>(*lane) < dictionary.lanes.size() &&
                        static_cast<size_t>(*type) < dictionary.types.size();
  if (!is_known) {
    const int64_t room = saturating_round(trace.view().window.length / 2);
    const TimeRange around = {Time{*begin} - Duration{room}, Time{*begin} + Duration{room}};
    return view_set_command(TimeWindow::from_range(around));
  }
  constexpr const char* kKinds[] = {"punctual", "state", "link_out", "variable"};
  const auto category = dictionary.types[static_cast<size_t>(*type)].category;
  Json args = {{"lane", *lane},
               {"type", *type},
               {"kind", kKinds[static_cast<size_t>(category)]},
               {"at", *begin},
               {"reveal", true}};
  if (const auto depth = answer.integer(row, "depth")) args["depth"] = *depth;
  if (const auto duration = answer.integer(row, "dur")) args["duration"] = *duration;
  if (const uint32_t nth = twins_above(answer, row, category); nth > 0) args["nth"] = nth;
  return Command{"element.select", std::move(args)};
}

// Written with two decimals, which line up; small values with their significant digits.
std::string grouped(double value, bool is_share) {
  if (std::abs(value) >= 1e15) return fmt::format("{:.4g}", value);
  if (!is_share && std::abs(value) < 1) return fmt::format("{:.3g}", value);
  return with_groups(fmt::format("{:.2f}", value));
}

// The whole element of a row, where it says how long that is.
std::optional<Command> zoom_to(const OpenTrace& trace, const SqlAnswer& answer, uint64_t row) {
  const auto begin = answer.integer(row, "begin"), length = answer.integer(row, "dur");
  if (!begin || !length || *length <= 0) return std::nullopt;
  const TimeRange range = {Time{*begin}, Time{saturating_add(*begin, *length)}};
  return view_set_command(TimeWindow::around(range, static_cast<double>(*length), trace.reach()));
}

bool is_instant(std::string_view column) {
  constexpr std::string_view kInstants[] = {"begin", "end", "time", "send", "receive"};
  return std::ranges::find(kInstants, column) != std::end(kInstants);
}

// Columns of a page that only lead somewhere.
bool is_way(std::string_view column) { return column.ends_with("_id") || column == "dur"; }

class AnswerRows final : public TableRows {
 public:
  explicit AnswerRows(std::shared_ptr<const SqlOrder> order) : order_(std::move(order)) {}
  uint64_t count() const override { return order_ ? order_->rows.size() : 0; }
  TableRow row(uint64_t) const override { return {}; }
  std::string cell(uint64_t row, size_t column) const override {
    return order_->cell(order_->rows[row], column);
  }
  // Its texts: of what the figures beside them are.
  std::string identity(uint64_t row) const override {
    const std::vector<Cell>& cells = order_->key.answer->rows[order_->rows[row]];
    std::string texts;
    for (const Cell& cell : cells) {
      if (const auto* text = std::get_if<std::string>(&cell)) texts += *text + '\0';
    }
    return texts;
  }
  Sheet sheet() const override { return sheet_of(order_); }

 private:
  std::shared_ptr<const SqlOrder> order_;
};

}  // namespace

std::string SqlOrder::cell(uint32_t row, size_t column) const {
  const SqlAnswer& answer = *key.answer;
  const size_t place = places[column];
  const Cell& cell = answer.rows[row][place];
  const auto* integer = std::get_if<int64_t>(&cell);
  const auto* real = std::get_if<double>(&cell);
  const bool is_duration = place < answer.is_duration.size() && answer.is_duration[place];
  const bool is_figure = (integer || real) && !is_duration && !answer.titles.empty();
  if (!is_figure) return shown_text(answer, row, place, key.times.display);
  const std::string& name = answer.columns[place];
  if (real) return grouped(*real, name.starts_with('%'));
  if (!is_instant(name)) return format_signed_count(*integer);
  const TimeRange range = key.times.reach.value_or(answer.key.trace->range());
  return time_label(key.times.display, Time{*integer}, range,
                    answer.key.trace->dictionary().time_base, range.length(), {1});
}

Sheet sheet_of(const std::shared_ptr<const SqlOrder>& order) {
  if (order->is_as_answered) return sheet_of(order->key.answer);
  return sheet_of_cells(order->key.answer->columns, order->rows.size(),
                        [order](uint64_t row, size_t column) {
                          return order->key.answer->rows[order->rows[row]][column];
                        });
}

// The width of the texts seen first, at about seven pixels a letter.
float text_width_of(const SqlAnswer& answer, size_t place) {
  constexpr size_t kRowsAsked = 200;
  size_t most = 0;
  for (size_t row = 0; row < std::min(kRowsAsked, answer.rows.size()); ++row) {
    const auto* text = std::get_if<std::string>(&answer.rows[row][place]);
    if (text != nullptr) most = std::max(most, text->size());
  }
  return std::clamp(7 * static_cast<float>(most) + 20, 100.0F, 300.0F);
}

// The same of numbers as they are shown: a digit has about eight and a half pixels.
float number_width_of(const SqlAnswer& answer, size_t place, const TimeDisplay& display) {
  constexpr uint32_t kRowsAsked = 200;
  const auto rows = static_cast<uint32_t>(std::min<size_t>(kRowsAsked, answer.rows.size()));
  size_t most = 0;
  for (uint32_t row = 0; row < rows; ++row)
    most = std::max(most, shown_text(answer, row, place, display).size());
  return std::clamp(8.5F * static_cast<float>(most) + 20, kNumberPx, 300.0F);
}

SqlOrder arrange_answer(const SqlOrderKey& key) {
  SqlOrder order{key, {}, {}, {}};
  const SqlAnswer& answer = *key.answer;
  const bool is_page = !answer.titles.empty();
  for (size_t i = 0; i < answer.columns.size(); ++i) {
    const std::string& name = answer.columns[i];
    if (is_page && is_way(name)) continue;
    float width = !answer.is_number[i] ? text_width_of(answer, i)
                  : is_page            ? kNumberPx
                                       : number_width_of(answer, i, key.times.display);
    if (is_page && is_instant(name)) width = width_of_times(*answer.key.trace, key.times, width);
    order.columns.push_back({.id = name,
                             .title = is_page ? answer.titles[i] : name,
                             .width_px = width,
                             .is_number = answer.is_number[i],
                             .has_filter = true});
    order.places.push_back(i);
  }
  const TableFilters filters(key.options, order.columns);
  for (uint32_t row = 0; row < answer.rows.size(); ++row) {
    if (filters.take([&](size_t column) { return order.cell(row, column); }))
      order.rows.push_back(row);
  }
  const auto by = sort_column(key.options, order.columns);
  order.is_as_answered = filters.is_empty() && !by;
  if (!by) return order;
  const size_t place = order.places[*by];
  std::ranges::stable_sort(order.rows, [&](uint32_t a, uint32_t b) {
    if (key.options.is_descending) std::swap(a, b);
    return is_before(answer.rows[a][place], answer.rows[b][place]);
  });
  return order;
}

AnswerTable::AnswerTable(const PanelServices& services) : order_(arrange_answer, services.wake) {}

TableAnswer AnswerTable::draw(const PanelInput& input, const Area& area,
                              const std::shared_ptr<const SqlAnswer>& answer, bool is_asking,
                              std::span<const char* const> menu, std::string_view more,
                              PanelOutput& output) {
  if (!answer->error.empty() && !is_asking) {
    ImGui::SetCursorScreenPos({area.x0 + 8 * input.scale, area.y0 + 6 * input.scale});
    ImGui::PushTextWrapPos(area.width());
    show_text(printable(answer->error), input.theme.error);
    ImGui::PopTextWrapPos();
    return {};
  }
  if (answer->columns.empty()) {
    draw_notice(input, area, "Done: it has no rows");
    return {};
  }
  const auto order = order_.find({answer,
                                  table_options(input.options),
                                  {input.session.look.time_display, input.trace->reach()}});
  output.is_stale |= order.is_stale;
  if (!order.value || order.value->key.answer != answer) return {};
  TableInput table{input, area, order.value->columns};
  table.is_stale = is_asking || order.is_stale;
  table.swatch_column = order.value->columns.size();
  table.menu = menu;
  const size_t all = answer->rows.size();
  const size_t shown = order.value->rows.size();
  table.footer =
      shown == all ? counted(all, "row") : format_count(shown) + " of " + counted(all, "row");
  if (answer->has_more) table.footer += more;
  TableAnswer answered = view_.draw(table, AnswerRows(order.value), output);
  if (answered.clicked) {
    if (auto way = way_to(*input.trace, *answer, order.value->rows[*answered.clicked])) {
      output.commands.push_back(std::move(*way));
    }
  }
  if (answered.opened) {
    if (auto zoom = zoom_to(*input.trace, *answer, order.value->rows[*answered.opened]))
      output.commands.push_back(std::move(*zoom));
  }
  return answered;
}

}  // namespace weft::app
