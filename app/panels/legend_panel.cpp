#include "app/panels/legend_panel.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/panels/toolbar.h"
#include "core/base/text.h"
#include "core/query/metrics.h"

namespace weft::app {
namespace {

enum Column : size_t { kName, kCategory, kCount, kTotal };
constexpr TableColumn kColumns[] = {{"name", "Type", 170, /*is_number=*/false, /*has_filter=*/true},
                                    {"category", "Category", 76, false, true},
                                    {"count", "Count", 78, true},
                                    {"total", "Time", 84, true}};

constexpr const char* kMenu[] = {"Hide it, or show it again", "Change its colour …",
                                 "Its own colour again", "Its events", "How long its states take"};
enum MenuEntry : size_t { kHide, kChange, kReset, kEvents, kDurations };
constexpr const char* kPicker = "colour of a type";

std::optional<LegendLines> make_lines(const Scope& key, ThreadPool& pool,
                                      const std::stop_token& stop) {
  const query::Selection selection = selection_of(key);
  const query::Work work(pool, stop);
  const auto measure = [&](const char* metric) {
    return query::metric_from_id(metric)->measure(*key.trace, selection, query::GroupBy::kType,
                                                  work);
  };
  std::map<uint32_t, LegendLine> lines;
  for (const query::Group& group : measure("count").groups) {
    lines[group.id] = {EventTypeId(group.id), group.count, 0};
  }
  for (const query::Group& group : measure("duration").groups) {
    lines[group.id].type = EventTypeId(group.id);
    lines[group.id].total = group.total;
  }
  if (stop.stop_requested()) return std::nullopt;
  LegendLines made{key, {}};
  for (const auto& [id, line] : lines) made.lines.push_back(line);
  return made;
}

// A pattern of that name and no other: \Q … \E quotes, but for \E itself.
std::string exactly(std::string_view name) {
  std::string pattern = "^\\Q";
  for (size_t end = 0; (end = name.find("\\E")) != std::string_view::npos;) {
    pattern.append(name.substr(0, end)).append("\\E\\\\E\\Q");
    name.remove_prefix(end + 2);
  }
  return pattern.append(name).append("\\E$");
}

}  // namespace

class LegendPanel::Rows final : public TableRows {
 public:
  Rows(std::shared_ptr<const Shown> shown, const PanelInput& input)
      : shown_(std::move(shown)), input_(input), selected_(text_option(input, "selected", "")) {
    const ViewFilter& filter = input.trace->view().filter;
    if (filter.mode == FilterMode::kHide) hidden_ = hidden_types(filter.text);
  }

  uint64_t count() const override { return shown_ ? shown_->lines.size() : 0; }
  TableRow row(uint64_t row) const override {
    TableRow state;
    state.is_selected = !selected_.empty() && type(row).name == selected_;
    state.is_shown = !hidden_.contains(type(row).name);
    state.is_dim = !*state.is_shown;
    if (input_.model) {
      const layout::Rgb rgb = input_.model->palette->color(shown_->lines[row].type);
      state.swatch = render::color_from_rgb(rgb);
      state.pattern = input_.model->palette->pattern(shown_->lines[row].type);
    }
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    const LegendLine& line = shown_->lines[row];
    switch (column) {
      case kName:
        return type(row).name;
      case kCategory:
        return std::string(name_of(type(row).category));
      case kCount:
        return format_count(line.count);
      default:
        if (type(row).category != trace::Category::kState) return "–";
        return format_duration({line.total}, shown_->key.of->key.trace->dictionary().time_base);
    }
  }
  Sheet sheet() const override {
    std::vector<std::string> columns = column_ids(kColumns);
    columns.emplace_back("color");
    const auto palette = input_.model ? input_.model->palette : nullptr;
    return sheet_of_cells(
        columns, count(), [shown = shown_, palette](uint64_t row, size_t column) -> Cell {
          const LegendLine& line = shown->lines[row];
          const trace::Dictionary& dictionary = shown->key.of->key.trace->dictionary();
          const trace::EventType& type = dictionary.type(line.type);
          switch (column) {
            case kName:
              return type.name;
            case kCategory:
              return std::string(name_of(type.category));
            case kCount:
              return line.count;
            case kTotal:
              return line.total;
            default:
              if (!palette) return {};
              return text_from_rgb(palette->color(line.type));
          }
        });
  }
  const trace::EventType& type(uint64_t row) const {
    return shown_->key.of->key.trace->dictionary().type(shown_->lines[row].type);
  }

 private:
  std::shared_ptr<const Shown> shown_;
  const PanelInput& input_;
  std::string selected_;
  std::set<std::string> hidden_;
};

LegendPanel::LegendPanel(const PanelServices& services)
    : lines_(
          [pool = services.pool](const Scope& key, const std::stop_token& stop) {
            return make_lines(key, *pool, stop);
          },
          services.wake),
      shown_(arrange, services.wake) {}

LegendPanel::Shown LegendPanel::arrange(const ShownKey& key) {
  Shown shown{key, key.of->lines};
  const trace::Dictionary& dictionary = key.of->key.trace->dictionary();
  const TableFilters filters(key.options, kColumns);
  std::erase_if(shown.lines, [&](const LegendLine& line) {
    const trace::EventType& type = dictionary.type(line.type);
    return !filters.takes(kName, type.name) || !filters.takes(kCategory, name_of(type.category));
  });
  const size_t column = sort_column(key.options, kColumns).value_or(kTotal);
  const bool is_descending = key.options.sort.empty() || key.options.is_descending;
  std::ranges::stable_sort(shown.lines, [&](const LegendLine& left, const LegendLine& right) {
    const LegendLine& a = is_descending ? right : left;
    const LegendLine& b = is_descending ? left : right;
    switch (column) {
      case kName:
        return dictionary.type(a.type).name < dictionary.type(b.type).name;
      case kCategory:
        return dictionary.type(a.type).category < dictionary.type(b.type).category;
      case kCount:
        return a.count < b.count;
      default:  // instants have no time: they are in order of their number
        return a.total != b.total ? a.total < b.total : a.count < b.count;
    }
  });
  return shown;
}

void LegendPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) {
    draw_notice(input, input.area, "No trace is open");
    return;
  }
  Scope key;
  Area area;
  {
    Toolbar bar(input, output);
    key = bar.choose_scope();
    const bool has_colors = !input.session.type_colors->empty();
    if (bar.button("Reset colours", has_colors)) output.commands.push_back({"colors.use"});
    area = bar.below();
  }
  const auto lines = lines_.find(key);
  std::shared_ptr<const Shown> shown;
  bool is_stale = lines.is_stale;
  if (lines.value && lines.value->key.trace == key.trace) {
    const auto found = shown_.find({lines.value, table_options(input.options)});
    is_stale |= found.is_stale;
    const bool is_of_this = found.value && found.value->key.of->key.trace == key.trace;
    if (is_of_this) shown = found.value;
  }
  output.is_stale |= is_stale;
  TableInput table{input, area, kColumns};
  table.is_stale = is_stale;
  table.menu = kMenu;
  table.nothing = nothing_here(input, "events");
  if (shown) {
    const size_t all = shown->key.of->lines.size();
    table.footer = shown->lines.size() == all
                       ? counted(all, "type")
                       : format_count(shown->lines.size()) + " of " + counted(all, "type");
  }
  const TableAnswer answered = view_.draw(table, Rows(shown, input), output);
  if (shown) answer(input, answered, *shown, output);
  draw_picker(input, output);
}

void LegendPanel::answer(const PanelInput& input, const TableAnswer& answer, const Shown& shown,
                         PanelOutput& output) {
  const trace::Dictionary& dictionary = shown.key.of->key.trace->dictionary();
  const auto pick = [&](uint64_t row) {
    picked_ = dictionary.type(shown.lines[row].type).name;
    opens_picker_ = true;
    const layout::Rgb rgb =
        input.model ? input.model->palette->color(shown.lines[row].type) : layout::Rgb{};
    for (size_t i = 0; i < 3; ++i) {
      color_[i] = static_cast<float>(rgb >> (16 - 8 * i) & 0xFF) / 255;
    }
  };
  if (answer.clicked) {
    const std::string& name = dictionary.type(shown.lines[*answer.clicked].type).name;
    const bool is_selected = text_option(input, "selected", "") == name;
    output.commands.push_back(set_option(input, "selected", is_selected ? Json() : Json(name)));
  }
  const auto toggle = [&](uint64_t row) {
    const std::string& name = dictionary.type(shown.lines[row].type).name;
    output.commands.push_back({"type.hide", {{"type", name}}});
  };
  if (answer.toggled) toggle(*answer.toggled);
  if (answer.opened) pick(*answer.opened);
  if (!answer.menu) return;
  const std::string& name = dictionary.type(shown.lines[answer.menu_row].type).name;
  const auto show = [&](const char* panel, const char* option, Json value) {
    output.commands.push_back({"panel.open", {{"panel", panel}}});
    output.commands.push_back(
        {"panel.set", {{"panel", panel}, {"option", option}, {"value", std::move(value)}}});
  };
  switch (*answer.menu) {
    case kHide:
      toggle(answer.menu_row);
      break;
    case kChange:
      pick(answer.menu_row);
      break;
    case kReset:
      output.commands.push_back({"type.color", {{"type", name}}});
      break;
    case kEvents:
      show("events", "filters", {{"type", exactly(name)}});
      break;
    default:
      show("durations", "types", Json::array({name}));
  }
}

void LegendPanel::draw_picker(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_picker_, false)) {
    ImGui::OpenPopup(kPicker);
    gesture_ = new_gesture();
  }
  if (!ImGui::BeginPopup(kPicker)) return;
  show_text(printable(picked_, 60), input.theme.text_dim);
  ImGui::SetNextItemWidth(200 * input.scale);
  if (ImGui::ColorPicker3("##color", color_.data(), ImGuiColorEditFlags_NoSidePreview)) {
    layout::Rgb rgb = 0;
    for (const float part : color_) {
      rgb = rgb << 8 | static_cast<layout::Rgb>(std::lround(part * 255));
    }
    output.commands.push_back(
        {"type.color", {{"type", picked_}, {"color", text_from_rgb(rgb)}}, gesture_});
  }
  if (ImGui::Button("Its own again")) {
    output.commands.push_back({"type.color", {{"type", picked_}}});
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (ImGui::Button("Done")) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace weft::app
