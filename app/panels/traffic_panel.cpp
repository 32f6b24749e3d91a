#include "app/panels/traffic_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "app/panels/sequence_picture.h"
#include "app/panels/toolbar.h"
#include "app/panels/traffic_picture.h"
#include "app/view_filter.h"
#include "core/base/text.h"
#include "core/query/filter_lexer.h"

namespace weft::app {
namespace {

constexpr float kLeastTablePx = 820;  // narrower panels show the picture alone
constexpr Choice kViews[] = {{"chord", "Chord"}, {"matrix", "Matrix"}};
constexpr Choice kSizes[] = {{"messages", "Messages"}, {"bytes", "Bytes"}};
constexpr const char* kMenu[] = {"Filter to these messages"};

enum Column : size_t { kFrom, kTo, kMessages, kBytes, kHalf, kMost99, kLongest };
constexpr TableColumn kColumns[] = {
    {"from", "From", 140, /*is_number=*/false, /*has_filter=*/true},
    {"to", "To", 140, /*is_number=*/false, /*has_filter=*/true},
    {"messages", "Messages", 88, true},
    {"bytes", "Bytes", 72, true},
    {"p50", "p50", 72, true},
    {"p99", "p99", 72, true},
    {"max", "Longest", 76, true},
};

std::string end_name(const PairFigures& pair, const trace::Dictionary& dictionary, bool is_source) {
  const LaneId lane = is_source ? pair.source : pair.target;
  if (!lane.is_none()) return dictionary.path_text(lane);
  return is_source ? "(sender unknown)" : "(never received)";
}

// Of the columns with numbers; latencies of pairs without any come last.
int64_t number(const PairFigures& pair, size_t column) {
  if (column == kMessages) return static_cast<int64_t>(pair.messages);
  if (column == kBytes) return static_cast<int64_t>(pair.bytes);
  if (pair.latency.count == 0) return std::numeric_limits<int64_t>::min();
  return column == kLongest ? pair.latency.max : pair.latency.percentiles[column == kHalf ? 0 : 3];
}

class PairRows final : public TableRows {
 public:
  PairRows(const PanelInput& input, std::shared_ptr<const TrafficPanel::Shown> shown,
           std::optional<size_t> chosen)
      : input_(input), shown_(std::move(shown)), chosen_(chosen) {}

  uint64_t count() const override { return shown_ ? shown_->pairs.size() : 0; }
  TableRow row(uint64_t row) const override {
    TableRow state;
    state.is_selected = chosen_ == shown_->pairs[row];
    const PairFigures& pair = shown_->key.of->pairs[shown_->pairs[row]];
    state.is_dim = !pair.is_complete();
    if (input_.model && !pair.source.is_none())
      state.swatch = lane_color(*input_.model, pair.source);
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    const PairFigures& pair = shown_->key.of->pairs[shown_->pairs[row]];
    const trace::Dictionary& dictionary = shown_->key.of->key.trace->dictionary();
    if (column == kFrom || column == kTo) return end_name(pair, dictionary, column == kFrom);
    if (column == kMessages) return format_count(pair.messages);
    if (column == kBytes) return pair.bytes == 0 ? std::string() : format_bytes(pair.bytes);
    if (pair.latency.count == 0) return {};
    return format_duration({number(pair, column)}, dictionary.time_base, 3);
  }
  Sheet sheet() const override {
    if (!shown_) return sheet_of_cells(column_ids(kColumns), 0, {});
    return sheet_of_cells(
        column_ids(kColumns), count(), [shown = shown_](uint64_t row, size_t column) -> Cell {
          const PairFigures& pair = shown->key.of->pairs[shown->pairs[row]];
          const trace::Dictionary& dictionary = shown->key.of->key.trace->dictionary();
          if (column == kFrom || column == kTo) {
            const LaneId lane = column == kFrom ? pair.source : pair.target;
            return lane.is_none() ? Cell() : Cell(dictionary.path_text(lane));
          }
          if (column >= kHalf && pair.latency.count == 0) return {};
          return number(pair, column);
        });
  }

 private:
  const PanelInput& input_;
  std::shared_ptr<const TrafficPanel::Shown> shown_;
  std::optional<size_t> chosen_;
};

// A row a sender, a column a receiver, in the order of lanes.
Sheet matrix_of(const std::shared_ptr<const TrafficFigures>& figures, bool is_bytes) {
  const trace::Dictionary& dictionary = figures->key.trace->dictionary();
  std::vector<std::string> columns = {"from"};
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> values;
  for (const LaneId lane : figures->lanes) columns.push_back(dictionary.path_text(lane));
  for (const PairFigures& pair : figures->pairs)
    values[{pair.source.value(), pair.target.value()}] = is_bytes ? pair.bytes : pair.messages;
  return sheet_of_cells(std::move(columns), figures->lanes.size(),
                        [figures, values](uint64_t row, size_t column) -> Cell {
                          const LaneId source = figures->lanes[row];
                          if (column == 0)
                            return figures->key.trace->dictionary().path_text(source);
                          const auto at =
                              values.find({source.value(), figures->lanes[column - 1].value()});
                          return at == values.end() ? uint64_t{0} : at->second;
                        });
}

// The option "pair": the numbers of both lanes, -1 of an end that is missing.
Json pair_option(const PairFigures& pair) {
  const auto id = [](LaneId lane) { return lane.is_none() ? int64_t{-1} : int64_t{lane.value()}; };
  return Json::array({id(pair.source), id(pair.target)});
}

std::optional<size_t> chosen_pair(const Json& options, const TrafficFigures& figures) {
  const auto option = options.find("pair");
  if (option == options.end()) return std::nullopt;
  const auto at = std::ranges::find_if(
      figures.pairs, [&](const PairFigures& pair) { return pair_option(pair) == *option; });
  if (at == figures.pairs.end()) return std::nullopt;
  return static_cast<size_t>(at - figures.pairs.begin());
}

void choose(const PanelInput& input, const TrafficFigures& figures, size_t pair,
            PanelOutput& output) {
  const bool is_chosen = chosen_pair(input.options, figures) == pair;
  output.commands.push_back(
      set_option(input, "pair", is_chosen ? Json() : pair_option(figures.pairs[pair])));
}

void filter_to(const TrafficFigures& figures, size_t index, PanelOutput& output) {
  const trace::Dictionary& dictionary = figures.key.trace->dictionary();
  const PairFigures& pair = figures.pairs[index];
  std::string text = "category == \"link\"";
  const auto add = [&](std::string_view field, LaneId lane) {
    if (lane.is_none()) return;
    text +=
        fmt::format(" && {} == {}", field, query::quoted_for_filter(dictionary.path_text(lane)));
  };
  add("source", pair.source);
  add("target", pair.target);
  output.commands.push_back({"filter.set", {{"text", text}}});
}

std::string summary_of(const TrafficFigures& figures) {
  std::string text = fmt::format("{} between {}", counted(figures.messages, "message"),
                                 counted(figures.lanes.size(), "lane"));
  if (figures.unreceived > 0)
    text += fmt::format(", {} never received", format_count(figures.unreceived));
  if (figures.unsent > 0)
    text += fmt::format(", {} of unknown senders", format_count(figures.unsent));
  return text;
}

}  // namespace

TrafficPanel::TrafficPanel(const PanelServices& services)
    : figures_(
          [pool = services.pool](const Scope& key, const std::stop_token& stop) {
            return measure_pairs(key, *pool, stop);
          },
          services.wake),
      shown_(arrange, services.wake) {}

TrafficPanel::Shown TrafficPanel::arrange(const ShownKey& key) {
  Shown shown{key, {}};
  const std::vector<PairFigures>& pairs = key.of->pairs;
  const trace::Dictionary& dictionary = key.of->key.trace->dictionary();
  const TableFilters filters(key.options, kColumns);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto name = [&](size_t column) {
      return end_name(pairs[i], dictionary, column == kFrom);
    };
    if (filters.take(name)) shown.pairs.push_back(i);
  }
  const size_t column = sort_column(key.options, kColumns).value_or(kMessages);
  const bool is_descending = key.options.sort.empty() || key.options.is_descending;
  std::ranges::stable_sort(shown.pairs, [&](size_t left, size_t right) {
    const PairFigures& a = pairs[is_descending ? right : left];
    const PairFigures& b = pairs[is_descending ? left : right];
    if (column > kTo) return number(a, column) < number(b, column);
    return end_name(a, dictionary, column == kFrom) < end_name(b, dictionary, column == kFrom);
  });
  return shown;
}

void TrafficPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) {
    draw_notice(input, input.area, "No trace is open");
    return;
  }
  Scope key;
  Area area;
  {
    Toolbar bar(input, output);
    key = bar.choose_scope();
    key.only = bar.choose_filter();
    (void)bar.choose("view", kViews);
    (void)bar.choose("size", kSizes);
    area = bar.below();
  }
  const auto found = figures_.find(key);
  output.is_stale |= found.is_stale;
  if (!found.value || found.value->key.trace != key.trace) return;
  if (found.value->messages == 0) {
    draw_notice(input, area, "No messages here");
    return;
  }
  const bool is_bytes = choice_option(input, "size", kSizes) == "bytes";
  offer_sheet(
      input, "matrix", found.is_stale, [&] { return matrix_of(found.value, is_bytes); }, output);
  Area picture = area;
  if (area.width() > kLeastTablePx * input.scale) {
    Area table = area;
    table.x1 = picture.x0 = area.x0 + std::round(std::min(area.width() * 0.58F, 700 * input.scale));
    draw_table(input, table, found.value, found.is_stale, output);
  }
  if (input.model) draw_picture(input, picture, *found.value, output);
}

void TrafficPanel::draw_table(const PanelInput& input, const Area& area,
                              const std::shared_ptr<const TrafficFigures>& figures, bool is_stale,
                              PanelOutput& output) {
  const auto found = shown_.find({figures, table_options(input.options)});
  output.is_stale |= found.is_stale;
  const bool is_of_this = found.value && found.value->key.of == figures;
  const PairRows rows(input, is_of_this ? found.value : nullptr,
                      chosen_pair(input.options, *figures));
  TableInput table{input, area, kColumns};
  table.is_stale = is_stale || found.is_stale;
  table.footer = summary_of(*figures);
  table.menu = kMenu;
  const TableAnswer answer = view_.draw(table, rows, output);
  if (!is_of_this) return;
  const std::vector<size_t>& pairs = found.value->pairs;
  if (answer.clicked) choose(input, *figures, pairs[*answer.clicked], output);
  if (answer.opened) filter_to(*figures, pairs[*answer.opened], output);
  if (answer.menu) filter_to(*figures, pairs[answer.menu_row], output);
}

void TrafficPanel::draw_picture(const PanelInput& input, const Area& area,
                                const TrafficFigures& figures, PanelOutput& output) const {
  const TrafficPicture picture{.input = input,
                               .figures = figures,
                               .size = choice_option(input, "size", kSizes) == "bytes"
                                           ? TrafficSize::kBytes
                                           : TrafficSize::kMessages,
                               .chosen = chosen_pair(input.options, figures)};
  const auto pointed = choice_option(input, "view", kViews) == "matrix" ? draw_matrix(picture, area)
                                                                        : draw_chord(picture, area);
  if (!pointed) return;
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    filter_to(figures, *pointed, output);
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    choose(input, figures, *pointed, output);
  }
}

}  // namespace weft::app
