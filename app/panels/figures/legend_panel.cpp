#include "app/panels/figures/legend_panel.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "app/panels/tables/column_filter.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/session/option_choices.h"
#include "core/base/text.h"
#include "core/query/metrics/metrics.h"
#include "core/trace/type_names.h"

namespace weft::app {
namespace {

using query::GroupBy;

enum Column : size_t { kName, kWithin, kCount, kTotal };
constexpr std::array kTypeColumns = {
    TableColumn{.id = "name",
                .title = "Type",
                .width_px = 136,
                .has_filter = true,
                .keeps_both_ends = true},
    TableColumn{.id = "category", .title = "Category", .width_px = 84, .has_filter = true},
    figure_column("count", "Count", 72), figure_column("total", "Time", 90)};
// Where all types are of one category.
constexpr std::array kAlikeColumns = [] {
  auto columns = kTypeColumns;
  columns[kWithin].says_nothing = true;
  return columns;
}();
constexpr TableColumn kLaneColumns[] = {
    {.id = "name", .title = "Lane", .width_px = 120, .has_filter = true, .is_path = true},
    {.id = "path", .title = "Path", .width_px = 100, .has_filter = true},
    figure_column("count", "Count", 72),
    figure_column("total", "Time", 90)};
std::span<const TableColumn> columns_of(GroupBy by, bool are_alike = false) {
  if (by == GroupBy::kLane) return kLaneColumns;
  return are_alike ? kAlikeColumns : kTypeColumns;
}

// The menu for types; all entries but the last also apply to lanes.
constexpr const char* kMenu[] = {"Hide it, or show it again", "Change its colour…",
                                 "Its own colour again", "Its events", "How long its states take"};
enum MenuEntry : size_t { kHide, kChange, kReset, kEvents, kDurations };

std::optional<LegendLines> make_lines(const LegendKey& key, ThreadPool& pool,
                                      const std::stop_token& stop) {
  const query::Selection selection = selection_of(key.scope);
  const query::Work work(pool, stop);
  const auto measure = [&](const char* metric) {
    return query::metric_from_id(metric)->measure(*key.scope.trace, selection, key.by, work);
  };
  std::map<uint32_t, LegendLine> lines;
  for (const query::Group& group : measure("count").groups) {
    lines[group.id] = {.id = group.id, .count = group.count};
  }
  for (const query::Group& group : measure("duration").groups) {
    lines[group.id].id = group.id;
    lines[group.id].total = group.total;
  }
  if (stop.stop_requested()) return std::nullopt;
  LegendLines made{key, {}};
  for (const auto& [id, line] : lines) made.lines.push_back(line);
  if (key.by != GroupBy::kType) return made;
  std::vector<const trace::EventType*> types;
  for (const LegendLine& line : made.lines)
    types.push_back(&key.scope.trace->dictionary().types[line.id]);
  const std::vector<std::string> names = trace::distinct_names(types);
  const auto category = [](const trace::EventType* type) { return type->category; };
  made.are_alike = !types.empty() && std::ranges::count(types, category(types.front()), category) ==
                                         static_cast<ptrdiff_t>(types.size());
  for (size_t i = 0; i < names.size(); ++i)
    made.lines[i].apart = names[i].substr(types[i]->name.size());
  return made;
}

layout::Rgb color_of(const TraceModel& model, GroupBy by, const LegendLine& line) {
  return by == GroupBy::kType ? model.palette->color(EventTypeId(line.id))
                              : model.lane_color(LaneId(line.id));
}

Command color_command(GroupBy by, const std::string& name) {
  if (by == GroupBy::kType) return {"type.color", {{"type", name}}};
  return {"lane.color", {{"lane", name}}};
}

}  // namespace

std::string_view LegendTexts::name(const LegendLine& line) const {
  if (by_ == GroupBy::kType) return dictionary_.type(EventTypeId(line.id)).name;
  return line.id < lanes_.names.size() ? lanes_.names[line.id] : std::string_view();
}

std::string LegendTexts::whole_name(const LegendLine& line) const {
  return std::string(name(line)) + line.apart;
}

std::string LegendTexts::within(const LegendLine& line) const {
  if (by_ == GroupBy::kLane) return dictionary_.path_text(LaneId(line.id));
  return std::string(name_of(dictionary_.type(EventTypeId(line.id)).category));
}

bool LegendTexts::has_time(const LegendLine& line) const {
  if (by_ == GroupBy::kLane) return line.total > 0;
  return dictionary_.type(EventTypeId(line.id)).category == trace::Category::kState;
}

std::string LegendTexts::cell(const LegendLine& line, size_t column,
                              const TimeDisplay& display) const {
  switch (column) {
    case kName:
      return whole_name(line);
    case kWithin:
      return within(line);
    case kCount:
      return format_count(line.count);
    default:
      if (!has_time(line)) return "–";
      return length_cell(display, {line.total}, dictionary_.time_base);
  }
}

class LegendPanel::Rows final : public TableRows {
 public:
  // `shown` may be null.
  Rows(std::shared_ptr<const Shown> shown, const PanelInput& input)
      : shown_(std::move(shown)), input_(input), selected_(text_option(input, "selected", "")) {
    const ViewFilter& filter = input.trace->view().filter;
    if (filter.mode == FilterMode::kHide) hidden_ = hidden_types(filter.text);
  }

  uint64_t count() const override { return shown_ ? shown_->lines.size() : 0; }
  TableRow row(uint64_t row) const override {
    const LegendLine& line = shown_->lines[row];
    const GroupBy by = shown_->by();
    TableRow state;
    state.is_selected = !selected_.empty() && shown_->texts().name(line) == selected_;
    state.is_shown = by == GroupBy::kType
                         ? !hidden_.contains(std::string(shown_->texts().name(line)))
                         : !input_.trace->arrangement().hidden.contains(LaneId(line.id));
    state.is_dim = !*state.is_shown;
    if (input_.model) {
      state.swatch = render::color_from_rgb(color_of(*input_.model, by, line));
      if (by == GroupBy::kType)
        state.pattern = input_.model->palette->pattern(EventTypeId(line.id));
    }
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return shown_->texts().cell(shown_->lines[row], column, input_.trace->time_display);
  }
  std::string identity(uint64_t row) const override { return cell(row, kName); }
  Sheet sheet() const override {
    std::vector<std::string> columns = column_ids(columns_of(shown_ ? shown_->by() : GroupBy()));
    columns.emplace_back("color");
    return sheet_of_cells(
        columns, count(),
        [shown = shown_, model = input_.model](uint64_t row, size_t column) -> Cell {
          const LegendLine& line = shown->lines[row];
          switch (column) {
            case kName:
              return shown->texts().whole_name(line);
            case kWithin:
              return shown->texts().within(line);
            case kCount:
              return line.count;
            case kTotal:
              return line.total;
            default:
              if (!model) return {};
              return text_from_rgb(color_of(*model, shown->by(), line));
          }
        });
  }

 private:
  std::shared_ptr<const Shown> shown_;
  const PanelInput& input_;
  std::string selected_;
  std::set<std::string> hidden_;
};

LegendPanel::LegendPanel(const PanelServices& services)
    : lines_(
          [pool = services.pool](const LegendKey& key, const std::stop_token& stop) {
            return make_lines(key, *pool, stop);
          },
          services.wake),
      shown_(arrange, services.wake) {}

LegendPanel::Shown LegendPanel::arrange(const ShownKey& key) {
  Shown shown{key, key.of->lines};
  const std::span<const TableColumn> columns = columns_of(shown.by());
  const TableFilters filters(key.options, columns);
  const LegendTexts texts = shown.texts();
  std::erase_if(shown.lines, [&](const LegendLine& line) {
    return !filters.take([&](size_t column) { return texts.cell(line, column, key.display); });
  });
  const size_t column = sort_column(key.options, columns).value_or(kTotal);
  const bool is_descending = key.options.sort.empty() || key.options.is_descending;
  std::ranges::stable_sort(shown.lines, [&](const LegendLine& left, const LegendLine& right) {
    const LegendLine& a = is_descending ? right : left;
    const LegendLine& b = is_descending ? left : right;
    switch (column) {
      case kName:
        return texts.name(a) < texts.name(b);
      case kWithin:
        return texts.within(a) < texts.within(b);
      case kCount:
        return a.count < b.count;
      default:  // instants have no time: they are in order of their number
        return a.total != b.total ? a.total < b.total : a.count < b.count;
    }
  });
  return shown;
}

void LegendPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) return;
  LegendKey key;
  Area area;
  {
    Toolbar bar(input, output);
    if (bar.choose("of", kLegendOf) == "lanes") key.by = GroupBy::kLane;
    key.scope = bar.choose_scope();
    const bool has_colors =
        !input.session.look.type_colors->empty() || !input.session.look.lane_colors->empty();
    if (bar.button("Reset colours", has_colors)) output.commands.push_back({"colors.use"});
    area = bar.below();
  }
  const auto lines = question_.find(lines_, *input.trace, key);
  std::shared_ptr<const Shown> shown;
  bool is_stale = lines.is_stale || !input.model;
  const auto is_of_this = [&](const LegendLines& made) {
    return question_.is_of_this(made.key.scope.trace) && made.key.by == key.by;
  };
  if (lines.value && is_of_this(*lines.value) && input.model) {
    const auto found = shown_.find({lines.value, input.model->lane_colors,
                                    table_options(input.options), input.trace->time_display});
    is_stale |= found.is_stale;
    if (found.value && is_of_this(*found.value->key.of)) shown = found.value;
  }
  output.is_stale |= is_stale;
  TableInput table{input, area, columns_of(key.by, shown && shown->key.of->are_alike)};
  table.is_stale = is_stale;
  table.menu = kMenu;
  if (key.by == GroupBy::kLane) table.menu = table.menu.first(kDurations);
  table.obstacle = [&](size_t entry, uint64_t row) -> std::string {
    if (entry != kReset) return {};
    const Look& look = input.session.look;
    const NamedColors& chosen = key.by == GroupBy::kType ? *look.type_colors : *look.lane_colors;
    const bool has_chosen = chosen.contains(std::string(shown->texts().name(shown->lines[row])));
    return has_chosen ? "" : "it has its own colour";
  };
  table.nothing = nothing_here(input, "events");
  if (shown) {
    const std::string all =
        counted(shown->key.of->lines.size(), key.by == GroupBy::kType ? "type" : "lane");
    table.footer = shown->lines.size() == shown->key.of->lines.size()
                       ? all
                       : format_count(shown->lines.size()) + " of " + all;
  }
  const TableAnswer answered = view_.draw(table, Rows(shown, input), output);
  if (shown) answer(input, answered, *shown, output);
  color_pick_.draw(input, output);
}

void LegendPanel::answer(const PanelInput& input, const TableAnswer& answer, const Shown& shown,
                         PanelOutput& output) {
  const GroupBy by = shown.by();
  const auto name = [&](uint64_t row) { return std::string(shown.texts().name(shown.lines[row])); };
  if (answer.clicked) {
    const bool is_selected = text_option(input, "selected", "") == name(*answer.clicked);
    output.commands.push_back(
        set_option(input, "selected", is_selected ? Json() : Json(name(*answer.clicked))));
  }
  const auto toggle = [&](uint64_t row) {
    const LaneId lane(shown.lines[row].id);
    if (by == GroupBy::kType) {
      output.commands.push_back({"type.hide", {{"type", name(row)}}});
    } else {
      const bool is_hidden = input.trace->arrangement().hidden.contains(lane);
      output.commands.push_back({is_hidden ? "lane.show" : "lane.hide", {{"lane", lane.value()}}});
    }
  };
  if (answer.toggled) toggle(*answer.toggled);
  if (answer.opened) pick(input, shown, shown.lines[*answer.opened]);
  if (!answer.menu) return;
  const LegendLine& line = shown.lines[answer.menu_row];
  const auto show = [&](const char* panel, const char* option, Json value) {
    output.commands.push_back({"panel.open", {{"panel", panel}}});
    output.commands.push_back(set_option_of(panel, option, std::move(value)));
  };
  switch (*answer.menu) {
    case kHide:
      toggle(answer.menu_row);
      break;
    case kChange:
      pick(input, shown, line);
      break;
    case kReset:
      output.commands.push_back(color_command(by, name(answer.menu_row)));
      break;
    case kEvents:
      if (by == GroupBy::kType) {
        show("events", "filters", {{"type", exactly(name(answer.menu_row))}});
      } else {
        show("events", "filters", {{"lane", exactly(shown.texts().within(line))}});
      }
      break;
    default:
      show("durations", "types", Json::array({name(answer.menu_row)}));
  }
}

void LegendPanel::pick(const PanelInput& input, const Shown& shown, const LegendLine& line) {
  if (!input.model) return;
  if (shown.by() == GroupBy::kLane) return color_pick_.open_lane(input, LaneId(line.id));
  color_pick_.open_type(input, std::string(shown.texts().name(line)),
                        color_of(*input.model, shown.by(), line));
}

}  // namespace weft::app
