#include "app/panels/sequence/causality_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/session/element_args.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

enum Column : size_t {
  kMessage,
  kSender,
  kReceiver,
  kSend,
  kTravel,
  kWaiting,
  kWork,
  kTotal,
  kValue,
  kColumnCount
};
constexpr TableColumn kColumns[kColumnCount] = {
    {.id = "message", .title = "Message", .width_px = 240},
    {.id = "sender", .title = "From", .width_px = 120, .is_lane = true},
    {.id = "receiver", .title = "To", .width_px = 120, .is_lane = true},
    {.id = "send", .title = "Sent", .width_px = 110, .is_number = true},
    {.id = "travel", .title = "On its way", .width_px = 92, .is_number = true},
    {.id = "waiting", .title = "Waited", .width_px = 92, .is_number = true},
    {.id = "work", .title = "Handled in", .width_px = 96, .is_number = true},
    {.id = "total", .title = "Altogether", .width_px = 96, .is_number = true},
    {.id = "value", .title = "", .width_px = 110}};  // of the field
constexpr Column kOfNarrow[] = {kMessage, kReceiver, kTravel, kTotal, kValue};
constexpr float kNarrowPx = 640;

// The columns for which there is room.
std::vector<Column> columns_of(const PanelInput& input, bool has_value) {
  std::vector<Column> columns;
  const bool is_narrow = input.area.width() < kNarrowPx * input.scale;
  for (size_t i = 0; i < kColumnCount; ++i) {
    const auto column = static_cast<Column>(i);
    const bool has_room = !is_narrow || std::ranges::find(kOfNarrow, column) != std::end(kOfNarrow);
    if (has_room && (has_value || column != kValue)) columns.push_back(column);
  }
  return columns;
}

constexpr const char* kMenu[] = {"Path from or to here", "Filter to what led to this",
                                 "Filter to what followed from this"};
enum Menu : size_t { kPathHere, kFilterCauses, kFilterEffects };

constexpr const char* kRootOption = "root";
constexpr const char* kPathOption = "path";
constexpr const char* kFieldOption = "field";

// The lines that led to this one, or followed from it: those above, or below, that are farther
// away.
struct LineSpan {
  size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};
LineSpan next_of(const CausalityFacts& facts, size_t line) {
  const std::vector<CausalLine>& lines = facts.lines;
  const auto is_farther = [&](size_t i) { return lines[i].distance > lines[line].distance; };
  LineSpan next{line, line};
  if (line == facts.own_line) return next;
  if (lines[line].way < 0) {
    while (next.begin > 0 && is_farther(next.begin - 1)) --next.begin;
    return next;
  }
  for (next = {line + 1, line + 1}; next.end < lines.size() && is_farther(next.end);) ++next.end;
  return next;
}

class CausalRows final : public TableRows {
 public:
  CausalRows(const PanelInput& input, std::shared_ptr<const CausalityFacts> facts,
             std::span<const Column> columns, std::span<const size_t> lines,
             const std::set<size_t>& folded)
      : input_(input),
        facts_(std::move(facts)),
        columns_(columns),
        lines_(lines),
        folded_(folded) {}

  uint64_t count() const override { return lines_.size(); }

  TableRow row(uint64_t row) const override {
    const CausalLine& line = facts_->lines[lines_[row]];
    TableRow state;
    if (!next_of(*facts_, lines_[row]).empty()) state.is_open = !folded_.contains(lines_[row]);
    state.level = static_cast<int>(std::min(line.distance, 40U));
    const auto& element = input_.trace->element();
    state.is_selected = element && line.is(*element);
    state.is_dim = facts_->path && !line.is_on_path;
    state.swatch = render::color_from_rgb(input_.model->palette->color(line.element.record.type));
    return state;
  }

  std::string cell(uint64_t row, size_t column) const override {
    const CausalLine& line = facts_->lines[lines_[row]];
    switch (columns_[column]) {
      case kMessage:
        return name_of(lines_[row], line);
      case kSender:
        return line.is_message() ? lane(line.ends.source, "unknown")
                                 : lane(line.element.ref.lane, "");
      case kReceiver:
        return line.is_message() ? lane(line.ends.target, "never received") : "";
      case kSend:
        return time_of(line);
      case kTravel:
        return duration(line.travel);
      case kWaiting:
        return line.has_both() ? duration(line.waiting) : "";
      case kWork:
        return line.handling.state ? duration(line.handling.work()) : "";
      case kTotal:
        return duration(line.total);
      default:
        return line.has_changed ? "→ " + line.value : line.value;
    }
  }

  Sheet sheet() const override { return facts_ ? sheet_of(facts_) : Sheet{}; }

 private:
  std::string name_of(uint64_t row, const CausalLine& line) const {
    const std::string mark = row == facts_->own_line ? "● " : line.way < 0 ? "↑ " : "↓ ";
    const std::string id = line.id && line.is_message() ? fmt::format("  #{}", *line.id) : "";
    const trace::Dictionary& dictionary = input_.model->trace->dictionary();
    return mark + std::string(dictionary.type(line.element.record.type).name) + id;
  }
  std::string lane(LaneId id, const char* none) const {
    return std::string(id.is_none() ? std::string_view(none) : input_.model->lane_name(id));
  }
  std::string time_of(const CausalLine& line) const {
    if (!line.is_message()) return exact_label(line.element.record.begin, *input_.trace);
    return line.ends.is_sent() ? exact_label(line.ends.send, *input_.trace) : "";
  }
  std::string duration(std::optional<Duration> value) const {
    return value ? length_cell(*value, *input_.trace) : std::string();
  }

  const PanelInput& input_;
  std::shared_ptr<const CausalityFacts> facts_;
  std::span<const Column> columns_;
  std::span<const size_t> lines_;  // those that are shown
  const std::set<size_t>& folded_;
};

std::string footer_of(const CausalityFacts& facts, const PanelInput& input) {
  std::string text = fmt::format("{} led here, {} followed", counted(facts.causes, "message"),
                                 format_count(facts.effects));
  if (facts.is_cut) text += ": the nearest of more";
  if (facts.path) {
    const query::CausalPath& path = *facts.path;
    const Duration all = path.messages.back().ends.receive - path.messages.front().ends.send;
    text += fmt::format("   ·   path of {}: {}, of which {} {}",
                        counted(path.messages.size(), "message"), length_label(all, *input.trace),
                        length_label(path.waiting(), *input.trace),
                        facts.key.trace->knows_latencies() ? "on the way and waiting" : "waiting");
  }
  return text;
}

std::optional<query::ElementRef> element_option(const PanelInput& input, const char* option) {
  const auto args = input.options.find(option);
  if (args == input.options.end() || !args->is_object()) return std::nullopt;
  const auto element = element_arg(*args, *input.trace);
  return element ? std::optional(*element) : std::nullopt;
}

}  // namespace

CausalityPanel::CausalityPanel(const PanelServices& services)
    : facts_(make_causality_facts, services.wake) {}

// The tree stays while what is selected lies in it, or until another one is asked for.
void CausalityPanel::choose_root(const PanelInput& input) {
  const auto wanted = element_option(input, kRootOption);
  const bool is_asked_for = wanted && wanted != wanted_;
  wanted_ = wanted;
  const auto& element = input.trace->element();
  if (is_asked_for) {
    root_ = {input.trace->id(), *wanted};
  } else if (!element) {
    root_.reset();
  } else if (!root_ || root_->trace_id != input.trace->id() || !find_line(*element)) {
    root_ = {input.trace->id(), *element};
  }
}

std::optional<size_t> CausalityPanel::find_line(const query::ElementRef& element) const {
  if (!shown_) return std::nullopt;
  const auto line =
      std::ranges::find_if(shown_->lines, [&](const CausalLine& each) { return each.is(element); });
  if (line == shown_->lines.end()) return std::nullopt;
  return static_cast<size_t>(line - shown_->lines.begin());
}

std::vector<size_t> CausalityPanel::visible_lines() const {
  std::vector<size_t> visible;
  if (!shown_) return visible;
  std::vector<bool> is_hidden(shown_->lines.size());
  for (const size_t line : folded_) {
    const LineSpan next = next_of(*shown_, line);
    for (size_t i = next.begin; i < next.end; ++i) is_hidden[i] = true;
  }
  for (size_t i = 0; i < is_hidden.size(); ++i) {
    if (!is_hidden[i]) visible.push_back(i);
  }
  return visible;
}

Area CausalityPanel::draw_toolbar(const PanelInput& input, PanelOutput& output) {
  Toolbar bar(input, output);
  const auto& element = input.trace->element();
  if (bar.button("Tree of the selected", element && root_ && *element != root_->element))
    output.commands.push_back(set_option(input, kRootOption, args_from_element(*element)));
  const bool has_path = input.options.contains(kPathOption);
  if (bar.button("No path", has_path))
    output.commands.push_back(set_option(input, kPathOption, Json()));
  bar.gap();
  // Names of the trace, made printable, live as long as the list is drawn.
  std::vector<std::string> names;
  if (shown_) names = shown_->fields;
  const std::string now = text_option(input, kFieldOption, "");
  if (!now.empty() && std::ranges::find(names, now) == names.end()) names.push_back(now);
  std::vector<std::string> titles;
  titles.reserve(names.size());
  for (const std::string& name : names) titles.push_back(short_name("follow " + name, 40));
  std::vector<Choice> choices = {{"", "follow no field"}};
  for (size_t i = 0; i < names.size(); ++i) choices.push_back({names[i], titles[i].c_str()});
  if (choices.size() > 1) (void)bar.choose_from_list(kFieldOption, choices);
  return bar.below();
}

void CausalityPanel::draw_table(const PanelInput& input, const Area& area, bool is_stale,
                                PanelOutput& output) {
  const std::string field = shown_ ? short_name(shown_->key.field, 60) : std::string();
  const std::vector<Column> columns = columns_of(input, !field.empty());
  std::vector<TableColumn> titled;
  titled.reserve(columns.size());
  for (const Column column : columns) titled.push_back(kColumns[column]);
  if (columns.back() == kValue) titled.back().title = field;
  TableInput table{input, area, titled};
  table.menu = kMenu;
  table.is_in_own_order = true;
  table.selects = true;
  table.is_stale = is_stale;
  if (shown_) table.footer = footer_of(*shown_, input);
  if (shown_ && element_option(input, kPathOption) && !shown_->path && !is_stale)
    table.problem = "neither of the two leads to the other";
  const std::vector<size_t> lines = visible_lines();
  const CausalRows rows(input, shown_, columns, lines, folded_);
  const TableAnswer answer = view_.draw(table, rows, output);
  if (!shown_) return;
  const auto args_of = [&](uint64_t row) {
    return args_from_element(shown_->lines[lines[row]].element.ref);
  };
  if (answer.folded && !folded_.erase(lines[*answer.folded])) folded_.insert(lines[*answer.folded]);
  if (answer.clicked) {
    Json args = args_of(*answer.clicked);
    args["reveal"] = true;
    output.commands.push_back({"element.select", std::move(args), answer.gesture});
  }
  if (!answer.menu) return;
  const Json args = args_of(answer.menu_row);
  if (*answer.menu == kPathHere) output.commands.push_back(set_option(input, kPathOption, args));
  if (*answer.menu == kFilterCauses) output.commands.push_back({"filter.causes", args});
  if (*answer.menu == kFilterEffects) output.commands.push_back({"filter.effects", args});
}

void CausalityPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.model) return;
  choose_root(input);
  if (!root_) {
    const Area area = draw_toolbar(input, output);
    draw_notice(input, area, "Select a message or a state: click one in the timeline");
    return;
  }
  const auto found =
      facts_.find({input.model->trace, root_->element, element_option(input, kPathOption),
                   text_option(input, kFieldOption, "")});
  output.is_stale |= found.is_stale;
  const bool is_of_this = found.value && found.value->key.trace == input.model->trace;
  shown_ = is_of_this ? found.value : nullptr;
  if (folded_of_ != shown_) folded_.clear();
  folded_of_ = shown_;
  const Area area = draw_toolbar(input, output);
  // The table follows the selection.
  const auto& element = input.trace->element();
  if (shown_ && !found.is_stale && element && revealed_ != element) {
    if (const auto line = find_line(*element)) {
      const std::vector<size_t> lines = visible_lines();
      const auto row = std::ranges::find(lines, *line);
      if (row != lines.end()) view_.reveal(static_cast<uint64_t>(row - lines.begin()));
    }
    revealed_ = element;
  }
  draw_table(input, area, found.is_stale, output);
}

}  // namespace weft::app
