#include "app/panels/toolbar.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/panels/tables/table_view.h"
#include "app/panels/wrapped_text.h"
#include "app/session/option_choices.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/query/link_ends.h"

namespace weft::app {
namespace {

constexpr float kHeightPx = 30;
constexpr float kPadPx = 8;
constexpr float kButtonPadPx = 8;

std::string scope_option(const PanelInput& input) {
  const bool is_chosen = input.options.contains("scope") || !input.trace;
  return is_chosen ? choice_option(input, "scope", kScopes)
                   : std::string(default_scope(*input.trace));
}

}  // namespace

std::string text_option(const PanelInput& input, const char* option, std::string_view otherwise) {
  const auto it = input.options.find(option);
  return it != input.options.end() && it->is_string() ? it->get<std::string>()
                                                      : std::string(otherwise);
}

std::string choice_option(const PanelInput& input, const char* option, Choices choices) {
  const std::string id = text_option(input, option, choices.front().id);
  return has_choice(choices, id) ? id : std::string(choices.front().id);
}

bool has_scope_of_window(const PanelInput& input) { return scope_option(input) == "window"; }

class Toolbar::Look {
 public:
  explicit Look(const Toolbar& bar) {
    const float scale = bar.input_.scale;
    ImGui::PushFont(bar.input_.fonts.small);
    const float pad = std::round((bar.height_ - 6 * scale - ImGui::GetFontSize()) / 2);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {kButtonPadPx * scale, pad});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  }
  ~Look() {
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
  }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;
};

Toolbar::Toolbar(const PanelInput& input, PanelOutput& output)
    : input_(input),
      output_(output),
      x_(input.area.x0),
      y_(input.area.y0),
      height_(std::round(kHeightPx * input.scale)) {
  begin_line(y_);
}

Area Toolbar::below() const {
  const Area& area = input_.area;
  return {area.x0, std::min(area.y1, y_ + height_), area.x1, area.y1};
}

void Toolbar::begin_line(float y) {
  x_ = input_.area.x0 + kPadPx * input_.scale;
  y_ = y;
  ImGui::GetWindowDrawList()->AddRectFilled({input_.area.x0, y_}, {input_.area.x1, y_ + height_},
                                            input_.theme.gutter);
}

void Toolbar::make_room(float width) {
  const bool is_empty = x_ <= input_.area.x0 + kPadPx * input_.scale;
  if (!is_empty && x_ + width > right()) begin_line(y_ + height_);
}

float Toolbar::right() const { return input_.area.x1 - kPadPx * input_.scale; }

void Toolbar::advance(float width) { x_ += width; }

bool Toolbar::press(const char* title, bool is_pressed, const char* help) {
  const Look look(*this);
  make_room(text_width(title) + 2 * kButtonPadPx * input_.scale);
  ImGui::SetCursorScreenPos({std::round(x_), y_ + std::round(3 * input_.scale)});
  const ImU32 color = is_pressed ? faded(input_.theme.accent, 0.35F) : 0;
  ImGui::PushStyleColor(ImGuiCol_Button, color);
  ImGui::PushStyleColor(ImGuiCol_Text, is_pressed ? input_.theme.text : input_.theme.text_dim);
  const bool is_clicked = ImGui::Button(title);
  ImGui::PopStyleColor(2);
  // Below the bar: beside the button are others.
  show_help_at(help, {ImGui::GetItemRectMin().x, y_ + height_ + 2 * input_.scale});
  advance(ImGui::GetItemRectSize().x + 2 * input_.scale);
  return is_clicked;
}

std::string Toolbar::choose(const char* option, Choices choices) {
  std::string now = choice_option(input_, option, choices);
  offer(option, choices, now);
  return now;
}

std::string Toolbar::choose_from_list(const char* option, Choices choices) {
  std::string now = choice_option(input_, option, choices);
  offer_list(option, choices, now);
  return now;
}

void Toolbar::offer(const char* option, Choices choices, std::string_view now) {
  const Look look(*this);
  float width = 0;
  for (const Choice& choice : choices) {
    width += text_width(choice.title) + 2 * (kButtonPadPx + 1) * input_.scale;
  }
  if (x_ + width > right()) return offer_list(option, choices, now);
  ImGui::PushID(option);
  for (const Choice& choice : choices) {
    const bool is_now = choice.id == now;
    if (press(choice.title, is_now, choice.help) && !is_now) {
      output_.commands.push_back(set_option(input_, option, choice.id));
    }
  }
  ImGui::PopID();
  gap();
}

void Toolbar::offer_list(const char* option, Choices choices, std::string_view now) {
  const Look look(*this);
  const auto shown = std::ranges::find(choices, now, &Choice::id);
  const float width = text_width(shown->title) + 40 * input_.scale;
  make_room(width);
  ImGui::PushID(option);
  ImGui::SetCursorScreenPos({std::round(x_), y_ + std::round(3 * input_.scale)});
  ImGui::SetNextItemWidth(width);
  const bool is_open = ImGui::BeginCombo("##choice", shown->title);
  if (!is_open)
    show_help_at(shown->help, {ImGui::GetItemRectMin().x, y_ + height_ + 2 * input_.scale});
  if (is_open) {
    for (size_t i = 0; i < choices.size(); ++i) {
      const Choice& choice = choices[i];
      ImGui::PushID(static_cast<int>(i));  // titles may be alike
      if (ImGui::Selectable(choice.title, choice.id == now) && choice.id != now) {
        output_.commands.push_back(set_option(input_, option, choice.id));
      }
      show_help(choice.help);
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  ImGui::PopID();
  advance(width);
  gap();
}

Scope Toolbar::choose_scope() {
  const std::string now = scope_option(input_);
  offer("scope", kScopes, now);
  const OpenTrace& trace = *input_.trace;
  if (now == "trace") return {trace.trace(), trace.range()};
  if (now == "selection") return selected_scope(trace);
  return {trace.trace(), trace.view().window.range()};
}

const OpenTrace* Toolbar::choose_trace(const char* option, size_t otherwise) {
  const auto& traces = input_.session.traces;
  std::vector<std::string> ids, titles;
  for (size_t i = 0; i < traces.size(); ++i) {
    ids.push_back(std::to_string(i));
    titles.push_back(fmt::format("{} {}", i + 1, short_name(traces[i]->name(), 48)));
    std::ranges::replace(titles.back(), '#', '_');  // ImGui hides what follows two of them
  }
  std::vector<Choice> choices;
  for (size_t i = 0; i < traces.size(); ++i) choices.push_back({ids[i], titles[i].c_str()});
  // The first choice is the default.
  std::ranges::rotate(choices, choices.begin() + static_cast<ptrdiff_t>(otherwise));
  const std::string now = choose_from_list(option, choices);
  return traces[parse_number<size_t>(now).value_or(0)].get();
}

aggregate::FormulaPtr Toolbar::choose_filter() {
  const layout::TileFilter filter = input_.filter.tiles();
  if (filter.id == 0) return nullptr;
  const bool is_followed = choose("events", kPassing) == "filtered";
  if (!filter.filter) output_.is_stale = true;
  return is_followed && filter.filter ? filter.filter->formula() : nullptr;
}

bool Toolbar::button(const char* title, bool is_enabled) {
  ImGui::BeginDisabled(!is_enabled);
  const bool is_clicked = press(title, false);
  ImGui::EndDisabled();
  return is_clicked;
}

void Toolbar::say(std::string_view text, std::string_view shorter) {
  const Look look(*this);
  const bool is_cut = text_width(text) > right() - x_;
  const std::string_view said = is_cut && !shorter.empty() ? shorter : text;
  if (said == shorter) make_room(text_width(shorter));
  const float room = right() - x_;
  draw_text(*ImGui::GetWindowDrawList(), {x_, y_ + (height_ - ImGui::GetFontSize()) / 2},
            input_.theme.text_dim, said, room);
  const Area shown = {x_, y_, right(), y_ + height_};
  if (!is_cut || !ImGui::IsWindowHovered() || !shown.contains(ImGui::GetIO().MousePos)) return;
  ImGui::BeginTooltip();
  show_text(text);
  ImGui::EndTooltip();
}

void Toolbar::space(float px) { advance(px * input_.scale); }

void Toolbar::gap() { advance(10 * input_.scale); }

std::string nothing_here(const PanelInput& input, std::string_view what,
                         std::optional<trace::Category> category) {
  const auto& trace = input.trace->trace();
  if (!trace || trace->counts().total() == 0) return "The trace holds no events";
  if (category && trace->counts()[*category] == 0)
    return fmt::format("The trace holds no {}", what);
  const std::string scope = scope_option(input);
  if (scope == "selection" && !input.trace->selection)
    return "Nothing is selected: drag along a ruler, or choose Whole trace";
  const bool is_filtered =
      input.trace->view().filter.is_set() && choice_option(input, "events", kPassing) == "filtered";
  if (is_filtered) {
    return fmt::format("No {} in {} pass the filter", what,
                       scope == "trace"    ? "the trace"
                       : scope == "window" ? "the window"
                                           : "what is selected");
  }
  return scope == "trace" ? fmt::format("The trace holds no {}", what)
         : scope == "window"
             ? fmt::format("No {} in the window: zoom out, or choose Whole trace", what)
             : fmt::format("No {} in what is selected: select more, or choose Whole trace", what);
}

std::string no_latencies_here(const PanelInput& input, std::string_view what) {
  const auto& trace = input.trace->trace();
  const bool has_links = trace && trace->counts()[trace::Category::kLink] > 0;
  if (has_links && !trace->knows_latencies()) return std::string(query::kLatenciesUnknown);
  return nothing_here(input, what, trace::Category::kLink);
}

void draw_notice(const PanelInput& input, const Area& area, std::string_view text) {
  const float room = area.width() - 2 * kPadPx * input.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string safe = printable(text, 0);
  const auto lines = wrapped(safe, room);
  const float line_px = ImGui::GetTextLineHeight();
  float y = std::round((area.y0 + area.y1 - line_px * static_cast<float>(lines.size())) / 2);
  for (const std::string_view line : lines) {
    const float width = text_width(line);
    const float x = std::round((area.x0 + area.x1 - std::min(room, width)) / 2);
    draw_text(list, {x, y}, input.theme.text_dim, line, room);
    y += line_px;
  }
}

void begin_content(const Area& area, ImVec2 padding) {
  ImGui::SetCursorScreenPos({area.x0, area.y0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::BeginChild("content", {area.width(), area.height()}, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
}

}  // namespace weft::app
