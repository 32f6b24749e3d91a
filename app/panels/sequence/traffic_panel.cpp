#include "app/panels/sequence/traffic_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/panels/filter_sign.h"
#include "app/panels/sequence/traffic_latencies.h"
#include "app/panels/sequence/traffic_picture.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/panels/wrapped_text.h"
#include "app/session/option_choices.h"
#include "app/view/element_filter.h"
#include "app/view/view_filter.h"
#include "core/base/dispose.h"
#include "core/base/text.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::app {
namespace {

constexpr float kLeastTablePx = 640;  // narrower panels have the table above the picture …
constexpr float kLeastAbovePx = 480;  // … and, where they are lower than this, the picture alone
constexpr float kLatenciesPx = 130;
constexpr float kLeastForLatenciesPx = 300;  // lower ones the table without what is below it

enum MenuEntry : size_t { kFilterTo, kFilterToUnanswered, kList, kDraw };
constexpr const char* kMenu[] = {"Filter to these messages", "Filter to those never answered",
                                 "List these in a table", "Draw these as a sequence diagram"};
constexpr std::string_view kUnansweredOnes = " && answer == \"\"";

bool shows_types(const PanelInput& input) {
  return choice_option(input, "rows", kTrafficRows) == "types";
}

constexpr TableColumn kPairNames[] = {
    {.id = "from", .title = "From", .width_px = 160, .has_filter = true, .is_lane = true},
    {.id = "to", .title = "To", .width_px = 150, .has_filter = true, .is_lane = true}};
constexpr TableColumn kTypeNames[] = {
    {.id = "type", .title = "Type", .width_px = 200, .has_filter = true}};
// The columns after those with names, in order.
enum Figure : size_t { kMessages, kBytes, kHalf, kMost99, kLongest, kUnanswered };
constexpr TableColumn kFigures[] = {
    figure_column("messages", "Messages", 88), figure_column("bytes", "Bytes", 72),
    figure_column("p50", "p50", 72),           figure_column("p99", "p99", 72),
    figure_column("max", "Longest", 76),       figure_column("unanswered", "Unanswered", 104)};

constexpr bool is_latency(size_t figure) { return figure >= kHalf && figure <= kLongest; }
using LengthColumns = std::array<LengthColumn, kLongest - kHalf + 1>;

// The value to sort by, for figures that have one; flows without latencies come last.
int64_t number(const query::Flow& flow, Figure figure) {
  if (figure == kMessages) return static_cast<int64_t>(flow.messages);
  if (figure == kBytes) return static_cast<int64_t>(flow.bytes);
  if (figure == kUnanswered) return static_cast<int64_t>(flow.unanswered);
  if (flow.latencies.count() == 0) return std::numeric_limits<int64_t>::min();
  if (figure == kLongest) return flow.latencies.most();
  return flow.latencies.percentile(figure == kHalf ? 50 : 99);
}

std::string end_name(const query::PairFlow& pair, const trace::Dictionary& dictionary,
                     bool is_source) {
  const LaneId lane = is_source ? pair.source : pair.target;
  if (!lane.is_none()) return dictionary.path_text(lane);
  return is_source ? "(sender unknown)" : "(never received)";
}

// The flows that a table lists, whatever they are of.
class FlowTable {
 public:
  FlowTable(std::shared_ptr<const TrafficFigures> of, bool is_by_type)
      : of_(std::move(of)), is_by_type_(is_by_type) {
    const std::span<const TableColumn> named =
        is_by_type_ ? std::span<const TableColumn>(kTypeNames) : kPairNames;
    columns_.assign(named.begin(), named.end());
    for (size_t figure = kMessages; figure <= kUnanswered; ++figure) {
      if (!is_there(figure)) continue;
      columns_.push_back(kFigures[figure]);
      figures_.push_back(static_cast<Figure>(figure));
    }
  }

  // Figures that nothing has are not among them.
  std::span<const TableColumn> columns() const { return columns_; }
  // The figure of a column after those with names.
  Figure figure(size_t column) const { return figures_[column - names()]; }
  size_t names() const { return is_by_type_ ? 1 : 2; }  // columns
  size_t count() const { return is_by_type_ ? of_->types.size() : of_->pairs.size(); }
  const query::Flow& flow(size_t i) const {
    return is_by_type_ ? static_cast<const query::Flow&>(of_->types[i]) : of_->pairs[i];
  }
  std::string name(size_t i, size_t column) const {
    const trace::Dictionary& dictionary = of_->key.trace->dictionary();
    if (is_by_type_) return std::string(dictionary.type(of_->types[i].type).name);
    return end_name(of_->pairs[i], dictionary, column == 0);
  }
  // As shown, in a column with names …
  std::string shown_name(size_t i, size_t column, const TraceModel* model) const {
    const std::string_view lane = model ? model->lane_name(lane_of(i, column)) : "";
    return lane.empty() ? name(i, column) : std::string(lane);
  }
  // … and in those after them.
  std::string figure_text(size_t i, size_t column, const LengthColumns& latencies) const {
    const query::Flow& of_flow = flow(i);
    const Figure figure = this->figure(column);
    if (figure == kMessages) return format_count(of_flow.messages);
    if (figure == kUnanswered)
      return of_flow.unanswered == 0 ? std::string() : format_count(of_flow.unanswered);
    if (figure == kBytes) return of_flow.bytes == 0 ? std::string() : format_bytes(of_flow.bytes);
    if (of_flow.latencies.count() == 0) return {};
    const LengthColumn& lengths = latencies[figure - kHalf];
    const Duration latency{number(of_flow, figure)};
    const bool is_exact = figure == kLongest || of_flow.latencies.is_exact();
    return is_exact ? lengths.cell(latency) : lengths.estimate(latency);
  }
  Cell cell(size_t i, size_t column) const {
    if (column >= names()) {
      const Figure figure = this->figure(column);
      const bool has_value = !is_latency(figure) || flow(i).latencies.count() > 0;
      return has_value ? Cell(number(flow(i), figure)) : Cell();
    }
    if (is_by_type_) return name(i, column);
    return lane_of(i, column).is_none() ? Cell() : Cell(name(i, column));
  }
  std::optional<ImU32> swatch(size_t i, const PanelInput& input) const {
    if (!input.model) return std::nullopt;
    if (is_by_type_) return render::color_from_rgb(input.model->palette->color(of_->types[i].type));
    const LaneId source = of_->pairs[i].source;
    if (source.is_none()) return std::nullopt;
    return render::color_from_rgb(input.model->lane_color(source));
  }
  bool is_complete(size_t i) const { return is_by_type_ || of_->pairs[i].is_complete(); }

 private:
  // Of a column with names; none of types.
  LaneId lane_of(size_t i, size_t column) const {
    if (is_by_type_) return LaneId::none();
    return column == 0 ? of_->pairs[i].source : of_->pairs[i].target;
  }
  bool is_there(size_t figure) const {
    if (is_latency(figure)) return of_->latencies.count() > 0;
    if (figure == kUnanswered) return of_->key.counts_unanswered;
    return figure != kBytes || std::ranges::any_of(of_->types, &query::Flow::bytes);
  }

  std::shared_ptr<const TrafficFigures> of_;
  bool is_by_type_;
  std::vector<TableColumn> columns_;
  std::vector<Figure> figures_;
};

TrafficPanel::Lengths lengths_in(const FlowTable& flows, Figure figure) {
  std::vector<Duration> lengths;
  for (size_t i = 0; i < flows.count(); ++i) {
    const Duration length{number(flows.flow(i), figure)};
    if (length.ticks > 0) lengths.push_back(length);
  }
  if (lengths.empty()) return {};
  const auto quarter = lengths.begin() + static_cast<ptrdiff_t>((lengths.size() - 1) / 4);
  std::ranges::nth_element(lengths, quarter);
  return {*quarter, *std::ranges::max_element(lengths)};
}

LengthColumns latency_columns(const TrafficPanel::Shown& shown) {
  const TimeBase base = shown.key.of->key.trace->dictionary().time_base;
  const auto column_of = [&](const TrafficPanel::Lengths& lengths) {
    return LengthColumn(shown.key.display, base, lengths.low, lengths.most);
  };
  const auto& [half, most, longest] = shown.latencies;
  return {column_of(half), column_of(most), column_of(longest)};
}

// As wide as their longest latency.
std::vector<TableColumn> widened_columns(const PanelInput& input, const FlowTable& flows,
                                         const TrafficPanel::Shown& shown,
                                         const LengthColumns& latencies) {
  constexpr float kPadsPx = 16;
  std::vector<TableColumn> columns(flows.columns().begin(), flows.columns().end());
  for (size_t i = flows.names(); i < columns.size(); ++i) {
    if (!is_latency(flows.figure(i))) continue;
    const size_t place = flows.figure(i) - kHalf;
    const std::string longest = latencies[place].cell(shown.latencies[place].most);
    columns[i].width_px =
        std::max(columns[i].width_px, text_width(longest) / input.scale + kPadsPx);
  }
  return columns;
}

class FlowRows final : public TableRows {
 public:
  // `rows`: of the flows.
  FlowRows(const PanelInput& input, FlowTable flows, std::vector<size_t> rows,
           std::optional<size_t> chosen, const LengthColumns& latencies)
      : input_(input),
        flows_(std::move(flows)),
        rows_(std::move(rows)),
        chosen_(chosen),
        latencies_(latencies) {}

  uint64_t count() const override { return rows_.size(); }
  TableRow row(uint64_t row) const override {
    TableRow state;
    state.is_selected = chosen_ == rows_[row];
    state.is_dim = !flows_.is_complete(rows_[row]);
    state.swatch = flows_.swatch(rows_[row], input_);
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return column < flows_.names() ? flows_.shown_name(rows_[row], column, input_.model.get())
                                   : flows_.figure_text(rows_[row], column, latencies_);
  }
  Sheet sheet() const override {
    return sheet_of_cells(column_ids(flows_.columns()), count(),
                          [flows = flows_, rows = rows_](uint64_t row, size_t column) {
                            return flows.cell(rows[row], column);
                          });
  }

 private:
  const PanelInput& input_;
  FlowTable flows_;
  std::vector<size_t> rows_;
  std::optional<size_t> chosen_;
  const LengthColumns& latencies_;
};

// A row a sender, a column a receiver, in the order of lanes.
Sheet matrix_of(const std::shared_ptr<const TrafficFigures>& figures, bool is_bytes) {
  const trace::Dictionary& dictionary = figures->key.trace->dictionary();
  std::vector<std::string> columns = {"from"};
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> values;
  for (const LaneId lane : figures->lanes) columns.push_back(dictionary.path_text(lane));
  for (const query::PairFlow& pair : figures->pairs)
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
Json pair_option(const query::PairFlow& pair) {
  const auto id = [](LaneId lane) { return lane.is_none() ? int64_t{-1} : int64_t{lane.value()}; };
  return Json::array({id(pair.source), id(pair.target)});
}

std::optional<size_t> chosen_pair(const Json& options, const TrafficFigures& figures) {
  const auto option = options.find("pair");
  if (option == options.end()) return std::nullopt;
  const auto at = std::ranges::find_if(
      figures.pairs, [&](const query::PairFlow& pair) { return pair_option(pair) == *option; });
  if (at == figures.pairs.end()) return std::nullopt;
  return static_cast<size_t>(at - figures.pairs.begin());
}

void choose_pair(const PanelInput& input, const TrafficFigures& figures, size_t pair,
                 PanelOutput& output) {
  const bool is_chosen = chosen_pair(input.options, figures) == pair;
  output.commands.push_back(
      set_option(input, "pair", is_chosen ? Json() : pair_option(figures.pairs[pair])));
}

// The option "type": its name.
std::optional<size_t> chosen_type(const Json& options, const TrafficFigures& figures) {
  const auto option = options.find("type");
  if (option == options.end() || !option->is_string()) return std::nullopt;
  const trace::Dictionary& dictionary = figures.key.trace->dictionary();
  const auto at = std::ranges::find_if(figures.types, [&](const query::TypeFlow& type) {
    return dictionary.type(type.type).name == option->get_ref<const std::string&>();
  });
  if (at == figures.types.end()) return std::nullopt;
  return static_cast<size_t>(at - figures.types.begin());
}

void choose_type(const PanelInput& input, const TrafficFigures& figures, size_t type,
                 PanelOutput& output) {
  const bool is_chosen = chosen_type(input.options, figures) == type;
  const trace::Dictionary& dictionary = figures.key.trace->dictionary();
  output.commands.push_back(set_option(
      input, "type", is_chosen ? Json() : Json(dictionary.type(figures.types[type].type).name)));
}

std::string filter_of(const TrafficFigures& figures, const query::PairFlow& pair) {
  return pair_filter(figures.key.trace->dictionary(), pair.source, pair.target);
}
std::string filter_of(const TrafficFigures& figures, const query::TypeFlow& type) {
  const trace::Dictionary& dictionary = figures.key.trace->dictionary();
  return "category == \"link\" && type == " +
         query::quoted_for_filter(dictionary.type(type.type).name);
}

Command filter_command(const TrafficFigures& figures, std::string text) {
  return filter_to(std::move(text), figures.key.only != nullptr);
}

std::string pair_name(const TrafficFigures& figures, const query::PairFlow& pair) {
  const trace::Dictionary& dictionary = figures.key.trace->dictionary();
  return end_name(pair, dictionary, true) + " → " + end_name(pair, dictionary, false);
}

std::string summary_of(const TrafficFigures& figures) {
  std::string text;
  if (figures.share < 1) text = fmt::format("{:.0f} % read so far: ", 100 * figures.share);
  text += counted(figures.messages, "message");
  if (!figures.lanes.empty())
    text += fmt::format(" between {}", counted(figures.lanes.size(), "lane"));
  if (figures.unreceived > 0)
    text += fmt::format(", {} never received", format_count(figures.unreceived));
  if (figures.unsent > 0)
    text += fmt::format(", {} of unknown senders", format_count(figures.unsent));
  if (!figures.latencies.is_exact()) text += "; p50 and p99 within 3 %";
  return text;
}

}  // namespace

TrafficPanel::TrafficPanel(const PanelServices& services)
    : figures_(
          [this, services](const TrafficKey& key, const std::stop_token& stop) {
            auto figures = measure_traffic(key, *services.pool, stop, [&](TrafficFigures part) {
              so_far_.store(std::make_shared<const TrafficFigures>(std::move(part)));
              if (services.wake) services.wake();
            });
            so_far_.store(nullptr);
            return figures;
          },
          services.wake),
      shown_(arrange, services.wake) {}

TrafficPanel::Shown TrafficPanel::arrange(const ShownKey& key) {
  Shown shown{key, {}, {}};
  const FlowTable flows(key.of, key.is_by_type);
  for (size_t figure = kHalf; figure <= kLongest; ++figure)
    shown.latencies[figure - kHalf] = lengths_in(flows, static_cast<Figure>(figure));
  const TableFilters filters(key.options, flows.columns());
  const LengthColumns latencies = latency_columns(shown);
  const auto text = [&](size_t i, size_t column) {
    return column < flows.names() ? flows.name(i, column) : flows.figure_text(i, column, latencies);
  };
  for (size_t i = 0; i < flows.count(); ++i) {
    if (filters.take([&](size_t column) { return text(i, column); })) shown.rows.push_back(i);
  }
  const size_t column = sort_column(key.options, flows.columns()).value_or(flows.names());
  const bool is_descending = key.options.sort.empty() || key.options.is_descending;
  const auto sort_by = [&](const auto& key_of) {
    using SortKey = std::decay_t<decltype(key_of(size_t{}))>;
    std::vector<SortKey> keys(flows.count());
    for (const size_t row : shown.rows) keys[row] = key_of(row);
    std::ranges::stable_sort(shown.rows, [&](size_t left, size_t right) {
      return is_descending ? keys[right] < keys[left] : keys[left] < keys[right];
    });
  };
  if (column < flows.names()) {
    sort_by([&](size_t row) { return flows.name(row, column); });
  } else {
    sort_by([&](size_t row) { return number(flows.flow(row), flows.figure(column)); });
  }
  return shown;
}

// While they are read: what there is so far, where it is of the same question.
std::shared_ptr<const TrafficFigures> TrafficPanel::find_figures(const PanelInput& input,
                                                                 const TrafficKey& key,
                                                                 bool& is_stale) {
  const auto found = question_.find(figures_, *input.trace, key, is_filter_pending(input));
  is_stale = found.is_stale;
  // Large ones are not freed here.
  if (auto newest = so_far_.load(); newest != shown_so_far_)
    dispose(std::exchange(shown_so_far_, std::move(newest)));
  const bool is_shown = found.is_stale && shown_so_far_ && shown_so_far_->key == question_.asked();
  return is_shown ? shown_so_far_ : found.value;
}

void TrafficPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) return;
  TrafficKey key;
  Area area;
  {
    Toolbar bar(input, output);
    static_cast<Scope&>(key) = bar.choose_scope();
    key.only = bar.choose_filter();
    (void)bar.choose("rows", kTrafficRows);
    (void)bar.choose("view", kTrafficViews);
    (void)bar.choose("size", kTrafficSizes);
    key.counts_unanswered = bar.choose_from_list("answers", kTrafficAnswers) == "on";
    area = bar.below();
  }
  bool is_stale = false;
  const std::shared_ptr<const TrafficFigures> figures = find_figures(input, key, is_stale);
  output.is_stale |= is_stale;
  if (!figures || !question_.is_of_this(figures->key.trace)) return;
  if (figures->messages == 0) {
    draw_notice(input, area, nothing_here(input, "messages", trace::Category::kLink));
    return;
  }
  const bool is_bytes = choice_option(input, "size", kTrafficSizes) == "bytes";
  offer_sheet(input, "matrix", is_stale, [&] { return matrix_of(figures, is_bytes); }, output);
  Area picture = area, table = area;
  if (area.width() > kLeastTablePx * input.scale) {
    const float most = (key.counts_unanswered ? 820 : 730) * input.scale;
    table.x1 = picture.x0 = area.x0 + std::round(std::min(area.width() * 0.58F, most));
    if (area.height() > kLeastForLatenciesPx * input.scale) {
      Area latencies = table;
      table.y1 = latencies.y0 = area.y1 - std::round(kLatenciesPx * input.scale);
      draw_chosen(input, latencies, *figures, output);
    }
    draw_table(input, table, figures, is_stale, output);
  } else if (area.height() > kLeastAbovePx * input.scale) {
    table.y1 = picture.y0 = std::round((area.y0 + area.y1) / 2);
    draw_table(input, table, figures, is_stale, output);
  } else {
    picture.y1 = std::max(area.y0, area.y1 - note_line_height(input));
    draw_note_line(input, {area.x0, picture.y1, area.x1, area.y1},
                   "The table needs more room: make the panel wider or higher");
  }
  if (input.model) draw_picture(input, picture, *figures, output);
  menu_.draw(input, output);
}

void TrafficPanel::draw_table(const PanelInput& input, const Area& area,
                              const std::shared_ptr<const TrafficFigures>& newest, bool is_stale,
                              PanelOutput& output) {
  const auto found = shown_.find(
      {newest, shows_types(input), table_options(input.options), input.trace->time_display});
  output.is_stale |= found.is_stale;
  // The last arrangement stays until the newest figures are arranged.
  if (!found.value || !question_.is_of_this(found.value->key.of->key.trace)) return;
  const std::shared_ptr<const TrafficFigures>& figures = found.value->key.of;
  const bool is_by_type = found.value->key.is_by_type;
  const FlowTable flows(figures, is_by_type);
  const std::vector<size_t>& shown = found.value->rows;
  const LengthColumns latencies = latency_columns(*found.value);
  const std::vector<TableColumn> columns = widened_columns(input, flows, *found.value, latencies);
  const FlowRows rows(
      input, flows, shown,
      is_by_type ? chosen_type(input.options, *figures) : chosen_pair(input.options, *figures),
      latencies);
  TableInput table{input, area, columns};
  table.is_stale = is_stale || found.is_stale;
  table.footer = summary_of(*newest);
  table.menu = kMenu;
  const TableAnswer answer = view_.draw(table, rows, output);
  const auto filter = [&](uint64_t row) {
    return is_by_type ? filter_of(*figures, figures->types[shown[row]])
                      : filter_of(*figures, figures->pairs[shown[row]]);
  };
  if (answer.clicked)
    (is_by_type ? choose_type : choose_pair)(input, *figures, shown[*answer.clicked], output);
  if (answer.opened) output.commands.push_back(filter_command(*figures, filter(*answer.opened)));
  if (answer.menu) {
    std::string text = filter(answer.menu_row);
    if (*answer.menu == kFilterToUnanswered) text += kUnansweredOnes;
    output.commands.push_back(filter_command(*figures, std::move(text)));
    if (*answer.menu == kList) output.commands.push_back({"panel.open", {{"panel", "events"}}});
    if (*answer.menu == kDraw) output.commands.push_back({"panel.open", {{"panel", "sequence"}}});
  }
}

void TrafficPanel::draw_chosen(const PanelInput& input, const Area& area,
                               const TrafficFigures& figures, PanelOutput& output) {
  const trace::Dictionary& dictionary = figures.key.trace->dictionary();
  LatencyPicture picture{.input = input,
                         .area = area,
                         .of = "all messages",
                         .latencies = figures.latencies,
                         .are_known = figures.key.trace->knows_latencies()};
  std::string filter = "category == \"link\"";
  if (shows_types(input)) {
    if (const auto type = chosen_type(input.options, figures)) {
      picture.of = dictionary.type(figures.types[*type].type).name;
      picture.latencies = figures.types[*type].latencies;
      filter = filter_of(figures, figures.types[*type]);
    }
  } else if (const auto pair = chosen_pair(input.options, figures)) {
    picture.of = pair_name(figures, figures.pairs[*pair]);
    picture.latencies = figures.pairs[*pair].latencies;
    filter = filter_of(figures, figures.pairs[*pair]);
  }
  const auto bar = draw_latencies(picture);
  if (!bar) return;
  const std::string longer = fmt::format("{} && latency >= {}", filter, bar->least);
  const std::string these = fmt::format("{} && latency <= {}", longer, bar->most);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    output.commands.push_back(filter_command(figures, these));
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right) && bar->count > 0) {
    const std::string least = length_label({bar->least}, *input.trace);
    menu_.open({.text = counted(bar->count, "message") + ", " +
                        length_range_label({bar->least}, {bar->most}, *input.trace),
                .filter = these,
                .pass_filter = figures.key.only != nullptr,
                .are_messages = true,
                .others = {{"Filter to " + least + " and longer", longer}}});
  }
}

void TrafficPanel::draw_picture(const PanelInput& input, const Area& area,
                                const TrafficFigures& figures, PanelOutput& output) {
  const TrafficPicture picture{.input = input,
                               .figures = figures,
                               .size = choice_option(input, "size", kTrafficSizes) == "bytes"
                                           ? TrafficSize::kBytes
                                           : TrafficSize::kMessages,
                               .chosen = chosen_pair(input.options, figures)};
  const auto pointed = choice_option(input, "view", kTrafficViews) == "matrix"
                           ? draw_matrix(picture, area)
                           : draw_chord(picture, area);
  if (!pointed) return;
  const query::PairFlow& pair = figures.pairs[*pointed];
  const std::string these = filter_of(figures, pair);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    output.commands.push_back(filter_command(figures, these));
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    choose_pair(input, figures, *pointed, output);
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_.open({.text = pair_name(figures, pair) + ": " + counted(pair.messages, "message") +
                        (pair.bytes > 0 ? ", " + format_bytes(pair.bytes) : ""),
                .filter = these,
                .pass_filter = figures.key.only != nullptr,
                .are_messages = true,
                .others = {{kMenu[kFilterToUnanswered], these + std::string(kUnansweredOnes)}}});
  }
}

}  // namespace weft::app
