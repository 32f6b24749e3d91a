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
constexpr Choice kRows[] = {{"pairs", "By pair"}, {"types", "By type"}};
constexpr Choice kAnswers[] = {{"off", "Answers not looked for"}, {"on", "Unanswered counted"}};

enum MenuEntry : size_t { kFilterTo, kFilterToUnanswered };
constexpr const char* kMenu[] = {"Filter to these messages", "Filter to those never answered"};

// After the columns with names.
enum Figure : size_t { kMessages, kBytes, kHalf, kMost99, kLongest, kUnanswered };
constexpr TableColumn kPairColumns[] = {
    {"from", "From", 140, /*is_number=*/false, /*has_filter=*/true},
    {"to", "To", 140, /*is_number=*/false, /*has_filter=*/true},
    {"messages", "Messages", 88, true},
    {"bytes", "Bytes", 72, true},
    {"p50", "p50", 72, true},
    {"p99", "p99", 72, true},
    {"max", "Longest", 76, true},
    {"unanswered", "Unanswered", 104, true},
};
constexpr TableColumn kTypeColumns[] = {
    {"type", "Type", 200, /*is_number=*/false, /*has_filter=*/true},
    {"messages", "Messages", 88, true},
    {"bytes", "Bytes", 72, true},
    {"p50", "p50", 72, true},
    {"p99", "p99", 72, true},
    {"max", "Longest", 76, true},
    {"unanswered", "Unanswered", 104, true},
};

// Of figures that have a value; latencies of flows without any come last.
int64_t number(const FlowFigures& flow, size_t figure) {
  if (figure == kMessages) return static_cast<int64_t>(flow.messages);
  if (figure == kBytes) return static_cast<int64_t>(flow.bytes);
  if (figure == kUnanswered) return static_cast<int64_t>(flow.unanswered);
  if (flow.latency.count == 0) return std::numeric_limits<int64_t>::min();
  return figure == kLongest ? flow.latency.max : flow.latency.percentiles[figure == kHalf ? 0 : 3];
}

std::string end_name(const PairFigures& pair, const trace::Dictionary& dictionary, bool is_source) {
  const LaneId lane = is_source ? pair.source : pair.target;
  if (!lane.is_none()) return dictionary.path_text(lane);
  return is_source ? "(sender unknown)" : "(never received)";
}

// The flows that a table lists, whatever they are of.
class Flows {
 public:
  Flows(std::shared_ptr<const TrafficFigures> of, bool is_by_type)
      : of_(std::move(of)), is_by_type_(is_by_type) {}

  // The last one is of what may not have been counted.
  std::span<const TableColumn> columns() const {
    const std::span<const TableColumn> all =
        is_by_type_ ? std::span<const TableColumn>(kTypeColumns) : kPairColumns;
    return of_->key.counts_unanswered ? all : all.first(all.size() - 1);
  }
  size_t names() const { return is_by_type_ ? 1 : 2; }  // columns
  size_t count() const { return is_by_type_ ? of_->types.size() : of_->pairs.size(); }
  const FlowFigures& flow(size_t i) const {
    return is_by_type_ ? static_cast<const FlowFigures&>(of_->types[i]) : of_->pairs[i];
  }
  std::string name(size_t i, size_t column) const {
    const trace::Dictionary& dictionary = of_->key.trace->dictionary();
    if (is_by_type_) return dictionary.type(of_->types[i].type).name;
    return end_name(of_->pairs[i], dictionary, column == 0);
  }
  std::string text(size_t i, size_t column) const {
    if (column < names()) return name(i, column);
    const FlowFigures& of_flow = flow(i);
    const size_t figure = column - names();
    if (figure == kMessages) return format_count(of_flow.messages);
    if (figure == kUnanswered)
      return of_flow.unanswered == 0 ? std::string() : format_count(of_flow.unanswered);
    if (figure == kBytes) return of_flow.bytes == 0 ? std::string() : format_bytes(of_flow.bytes);
    if (of_flow.latency.count == 0) return {};
    return format_duration({number(of_flow, figure)}, of_->key.trace->dictionary().time_base, 3);
  }
  Cell cell(size_t i, size_t column) const {
    if (column >= names()) {
      const size_t figure = column - names();
      const bool is_latency = figure >= kHalf && figure <= kLongest;
      return is_latency && flow(i).latency.count == 0 ? Cell() : Cell(number(flow(i), figure));
    }
    if (is_by_type_) return name(i, column);
    const PairFigures& pair = of_->pairs[i];
    const bool is_known = !(column == 0 ? pair.source : pair.target).is_none();
    return is_known ? Cell(name(i, column)) : Cell();
  }
  std::optional<ImU32> swatch(size_t i, const PanelInput& input) const {
    if (!input.model) return std::nullopt;
    if (is_by_type_) return render::color_from_rgb(input.model->palette->color(of_->types[i].type));
    const LaneId source = of_->pairs[i].source;
    return source.is_none() ? std::nullopt : std::optional(lane_color(*input.model, source));
  }
  bool is_complete(size_t i) const { return is_by_type_ || of_->pairs[i].is_complete(); }

 private:
  std::shared_ptr<const TrafficFigures> of_;
  bool is_by_type_;
};

class FlowRows final : public TableRows {
 public:
  // `rows`: of the flows.
  FlowRows(const PanelInput& input, Flows flows, std::vector<size_t> rows,
           std::optional<size_t> chosen)
      : input_(input), flows_(std::move(flows)), rows_(std::move(rows)), chosen_(chosen) {}

  uint64_t count() const override { return rows_.size(); }
  TableRow row(uint64_t row) const override {
    TableRow state;
    state.is_selected = chosen_ == rows_[row];
    state.is_dim = !flows_.is_complete(rows_[row]);
    state.swatch = flows_.swatch(rows_[row], input_);
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return flows_.text(rows_[row], column);
  }
  Sheet sheet() const override {
    return sheet_of_cells(column_ids(flows_.columns()), count(),
                          [flows = flows_, rows = rows_](uint64_t row, size_t column) {
                            return flows.cell(rows[row], column);
                          });
  }

 private:
  const PanelInput& input_;
  Flows flows_;
  std::vector<size_t> rows_;
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

std::string filter_of(const TrafficFigures& figures, const PairFigures& pair) {
  const trace::Dictionary& dictionary = figures.key.trace->dictionary();
  std::string text = "category == \"link\"";
  const auto add = [&](std::string_view field, LaneId lane) {
    if (lane.is_none()) return;
    text +=
        fmt::format(" && {} == {}", field, query::quoted_for_filter(dictionary.path_text(lane)));
  };
  add("source", pair.source);
  add("target", pair.target);
  return text;
}
std::string filter_of(const TrafficFigures& figures, const TypeFigures& type) {
  const trace::Dictionary& dictionary = figures.key.trace->dictionary();
  return "category == \"link\" && type == " +
         query::quoted_for_filter(dictionary.type(type.type).name);
}

Command filter_to(std::string text) { return {"filter.set", {{"text", std::move(text)}}}; }

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
          [pool = services.pool](const TrafficKey& key, const std::stop_token& stop) {
            return measure_traffic(key, *pool, stop);
          },
          services.wake),
      shown_(arrange, services.wake) {}

TrafficPanel::Shown TrafficPanel::arrange(const ShownKey& key) {
  Shown shown{key, {}};
  const Flows flows(key.of, key.is_by_type);
  const TableFilters filters(key.options, flows.columns());
  for (size_t i = 0; i < flows.count(); ++i) {
    if (filters.take([&](size_t column) { return flows.name(i, column); })) shown.rows.push_back(i);
  }
  const size_t column = sort_column(key.options, flows.columns()).value_or(flows.names());
  const bool is_descending = key.options.sort.empty() || key.options.is_descending;
  std::ranges::stable_sort(shown.rows, [&](size_t left, size_t right) {
    const size_t a = is_descending ? right : left, b = is_descending ? left : right;
    if (column < flows.names()) return flows.name(a, column) < flows.name(b, column);
    const size_t figure = column - flows.names();
    return number(flows.flow(a), figure) < number(flows.flow(b), figure);
  });
  return shown;
}

void TrafficPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) {
    draw_notice(input, input.area, "No trace is open");
    return;
  }
  TrafficKey key;
  Area area;
  {
    Toolbar bar(input, output);
    static_cast<Scope&>(key) = bar.choose_scope();
    key.only = bar.choose_filter();
    key.by_type = bar.choose("rows", kRows) == "types";
    (void)bar.choose("view", kViews);
    (void)bar.choose("size", kSizes);
    key.counts_unanswered = bar.choose_from_list("answers", kAnswers) == "on";
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
    const float most = (key.counts_unanswered ? 790 : 700) * input.scale;
    table.x1 = picture.x0 = area.x0 + std::round(std::min(area.width() * 0.58F, most));
    draw_table(input, table, found.value, found.is_stale, output);
  }
  if (input.model) draw_picture(input, picture, *found.value, output);
}

void TrafficPanel::draw_table(const PanelInput& input, const Area& area,
                              const std::shared_ptr<const TrafficFigures>& figures, bool is_stale,
                              PanelOutput& output) {
  const bool is_by_type = figures->key.by_type;
  const auto found = shown_.find({figures, is_by_type, table_options(input.options)});
  output.is_stale |= found.is_stale;
  const bool is_of_this =
      found.value && found.value->key.of == figures && found.value->key.is_by_type == is_by_type;
  const Flows flows(figures, is_by_type);
  const std::vector<size_t> shown = is_of_this ? found.value->rows : std::vector<size_t>();
  const FlowRows rows(input, flows, shown,
                      is_by_type ? std::nullopt : chosen_pair(input.options, *figures));
  TableInput table{input, area, flows.columns()};
  table.is_stale = is_stale || found.is_stale;
  table.footer = summary_of(*figures);
  table.menu = kMenu;
  const TableAnswer answer = view_.draw(table, rows, output);
  const auto filter = [&](uint64_t row) {
    return is_by_type ? filter_of(*figures, figures->types[shown[row]])
                      : filter_of(*figures, figures->pairs[shown[row]]);
  };
  if (answer.clicked && !is_by_type) choose(input, *figures, shown[*answer.clicked], output);
  if (answer.opened) output.commands.push_back(filter_to(filter(*answer.opened)));
  if (answer.menu) {
    const char* more = *answer.menu == kFilterToUnanswered ? " && answer == \"\"" : "";
    output.commands.push_back(filter_to(filter(answer.menu_row) + more));
  }
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
    output.commands.push_back(filter_to(filter_of(figures, figures.pairs[*pointed])));
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    choose(input, figures, *pointed, output);
  }
}

}  // namespace weft::app
