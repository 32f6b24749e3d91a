#include "app/chrome.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/timeline_options.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kStatusPx = 26;

// A menu item from a row of the table of commands.
void command_item(const ChromeInput& input, const char* name, bool is_checked = false,
                  bool is_enabled = true) {
  const CommandRow& row = *find_command(name);
  const std::string title(row.title);
  const std::vector<std::string> chords = input.session.keys.chords_of(name);
  const std::string shortcut = chords.empty() ? "" : chords.front();
  if (ImGui::MenuItem(title.c_str(), shortcut.empty() ? nullptr : shortcut.c_str(), is_checked,
                      is_enabled)) {
    input.commands.push_back({name});
  }
}

// A command whose arguments are typed into the palette.
void asking_item(const ChromeInput& input, const char* name, bool is_enabled = true) {
  const std::string title = std::string(find_command(name)->title) + " …";
  if (ImGui::MenuItem(title.c_str(), nullptr, false, is_enabled)) {
    input.commands.push_back({"palette.show", {{"asks", name}}});
  }
}

void recent_menu(const ChromeInput& input) {
  if (!ImGui::BeginMenu("Open recent", !input.session.recent.empty())) return;
  int id = 0;
  for (const auto& path : input.session.recent) {
    if (text_item(input, id++, path.filename().string())) {
      input.commands.push_back({"open", {{"path", path.string()}}});
    }
  }
  ImGui::Separator();
  command_item(input, "recent.clear");
  ImGui::EndMenu();
}

void save_items(const ChromeInput& input) {
  const OpenTrace* trace = input.session.trace();
  const auto item = [&](const char* title, bool is_enabled, const char* ending, const char* part) {
    if (!ImGui::MenuItem(title, nullptr, false, is_enabled)) return;
    input.commands.push_back(ask_for_export(trace->beside().string() + ending, part));
  };
  const bool has_part = trace && (trace->selection || !trace->selected_lanes.empty());
  item("Save the trace …", trace != nullptr, ".weft", "all");
  item("Save the selected part …", has_part, ".part.weft", "selection");
}

void file_menu(const ChromeInput& input) {
  const bool has_trace = input.session.trace() != nullptr;
  command_item(input, "open.ask");
  recent_menu(input);
  command_item(input, "close", false, has_trace);
  ImGui::Separator();
  save_items(input);
  ImGui::Separator();
  command_item(input, "load.cancel", false, has_trace && input.session.trace()->is_loading());
  command_item(input, "losses.show", input.session.shows_losses, has_trace);
  if (ImGui::MenuItem("Names from sources …", nullptr, false, has_trace)) {
    input.commands.push_back(ask_for_symbols(input.session.trace()->beside()));
  }
  command_item(input, "symbols.clear", false,
               has_trace && !input.session.trace()->symbol_paths().empty());
  if (ImGui::MenuItem("Save a picture …", nullptr, false, has_trace)) {
    const std::string base = input.session.trace()->beside().string();
    input.commands.push_back(ask_for_picture(base + ".png", "workbench"));
  }
  ImGui::Separator();
  command_item(input, "quit");
}

void panels_menu(const ChromeInput& input) {
  for (const PanelRow& row : panel_table()) {
    const std::string title(row.title);
    const PanelInstance* open = input.session.layout.first_of(row.id);
    if (!ImGui::MenuItem(title.c_str(), nullptr, open != nullptr)) continue;
    if (open) {
      input.commands.push_back({"panel.close", {{"panel", open->id}}});
    } else {
      input.commands.push_back({"panel.open", {{"panel", row.id}}});
    }
  }
}

void setting_item(const ChromeInput& input, const char* title, const char* name,
                  std::string_view value, bool is_set) {
  if (ImGui::MenuItem(title, nullptr, is_set)) {
    input.commands.push_back({"set", {{"name", name}, {"value", value}}});
  }
}

void times_menu(const ChromeInput& input) {
  if (!ImGui::BeginMenu("Times")) return;
  const TimeDisplay& display = input.session.time_display;
  constexpr std::pair<TimeOrigin, const char*> kOrigins[] = {
      {TimeOrigin::kTrace, "Since the trace's begin"},
      {TimeOrigin::kClock, "As the trace's clock counts"},
      {TimeOrigin::kUtc, "On the calendar, UTC"},
      {TimeOrigin::kLocal, "On the calendar, local"}};
  for (const auto& [origin, title] : kOrigins) {
    setting_item(input, title, "time_origin", name_of(origin), display.origin == origin);
  }
  ImGui::Separator();
  constexpr std::pair<TimeUnit, const char*> kUnits[] = {
      {TimeUnit::kAuto, "In the unit that reads best"},
      {TimeUnit::kSeconds, "In seconds"},
      {TimeUnit::kMilliseconds, "In milliseconds"},
      {TimeUnit::kMicroseconds, "In microseconds"},
      {TimeUnit::kNanoseconds, "In nanoseconds"}};
  for (const auto& [unit, title] : kUnits) {
    setting_item(input, title, "time_unit", name_of(unit), display.unit == unit);
  }
  ImGui::EndMenu();
}

void groups_menu(const ChromeInput& input) {
  const auto can_open = [](const auto& group) { return !group.second.closed.empty(); };
  if (!ImGui::BeginMenu("Open a group of views again",
                        std::ranges::any_of(input.session.groups, can_open))) {
    return;
  }
  int id = 0;
  for (const auto& group : input.session.groups) {
    if (can_open(group) && text_item(input, id++, group.first)) {
      input.commands.push_back({"group.open", {{"group", group.first}}});
    }
  }
  ImGui::EndMenu();
}

void layouts_menu(const ChromeInput& input) {
  command_item(input, "layout.reset");
  int id = 0;
  for (const auto& [name, layout] : input.session.saved_layouts) {
    if (text_item(input, id++, name)) input.commands.push_back({"layout.load", {{"name", name}}});
  }
  ImGui::Separator();
  asking_item(input, "layout.save");
  asking_item(input, "layout.delete", !input.session.saved_layouts.empty());
}

void traces_menu(const ChromeInput& input) {
  const bool has_several = input.session.traces.size() > 1;
  if (!ImGui::BeginMenu("Traces", has_several)) return;
  for (const char* name : {"trace.stack", "trace.beside", "trace.part"}) command_item(input, name);
  ImGui::Separator();
  command_item(input, "trace.couple", input.session.couples_traces);
  constexpr std::pair<const char*, const char*> kAlignments[] = {
      {"clock", "Align by their clocks"},
      {"begins", "Align by their begins"},
      {"events", "Align by the selected events"},
      {"selections", "Align by the selected ranges"},
      {"cursors", "Align by the cursors A and B"}};
  for (const auto& [by, title] : kAlignments) {
    if (!ImGui::MenuItem(title, nullptr, false, input.session.couples_traces)) continue;
    input.commands.push_back({"trace.align", {{"by", by}}});
  }
  ImGui::EndMenu();
}

void view_menu(const ChromeInput& input) {
  const bool has_trace = input.session.trace() != nullptr;
  for (const char* name : {"view.fit", "view.zoom_to_selection", "view.undo", "view.redo"}) {
    command_item(input, name, false, has_trace);
  }
  ImGui::Separator();
  for (const char* name : {"lane.expand_all", "lane.collapse_all"}) {
    command_item(input, name, false, has_trace);
  }
  command_item(input, "lane.levels", has_trace && input.session.trace()->arrangement().levels != 0,
               has_trace);
  command_item(input, "links.show", input.session.shows_links);
  command_item(input, "links.all", timelines_have(input.session, kAllLinks));
  command_item(input, "grid.show", timelines_have(input.session, kGridLines));
  command_item(input, "view.compress",
               has_trace && input.session.cut_from(*input.session.trace()).has_value(), has_trace);
  command_item(input, "row_height.fit", false, has_trace);
  command_item(input, "row_height.larger");
  command_item(input, "row_height.smaller");
  ImGui::Separator();
  if (ImGui::BeginMenu("Panels")) {
    panels_menu(input);
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("Layouts")) {
    layouts_menu(input);
    ImGui::EndMenu();
  }
  groups_menu(input);
  traces_menu(input);
  ImGui::Separator();
  times_menu(input);
  for (const char* name : {"font.larger", "font.smaller", "font.reset"}) command_item(input, name);
  const bool has_safe = input.session.has_safe_colors;
  if (ImGui::MenuItem("Colours that everybody can tell apart", nullptr, has_safe)) {
    input.commands.push_back({"set", {{"name", "safe_colors"}, {"value", !has_safe}}});
  }
  const bool has_patterns = input.session.has_patterns;
  if (ImGui::MenuItem("Patterns besides colours", nullptr, has_patterns)) {
    input.commands.push_back({"set", {{"name", "patterns"}, {"value", !has_patterns}}});
  }
  command_item(input, "states.by_duration", input.session.colors_by_duration);
  command_item(input, "theme");
}

// One tab per open trace, at the right end of the menu bar. Names are drawn, not used as labels.
void trace_tabs(const ChromeInput& input) {
  const float pad = 10 * input.scale;
  const float widest = 220 * input.scale;
  for (size_t i = 0; i < input.session.traces.size(); ++i) {
    const std::string name = printable(input.session.traces[i]->name(), 80);
    const float width = std::min(widest, ImGui::CalcTextSize(name.c_str()).x + 2 * pad);
    ImGui::PushID(static_cast<int>(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    if (ImGui::InvisibleButton("tab", {width, height})) {
      input.commands.push_back({"trace.select", {{"index", i}}});
    }
    const bool is_current = i == input.session.current;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (is_current || ImGui::IsItemHovered()) {
      list.AddRectFilled({at.x, at.y + 3}, {at.x + width, at.y + height - 1},
                         is_current ? input.theme.selection : input.theme.stripe, 4 * input.scale);
    }
    draw_text(list, {at.x + pad, at.y + ImGui::GetStyle().FramePadding.y},
              is_current ? input.theme.text : input.theme.text_dim, name, width - 2 * pad + 1);
    ImGui::PopID();
  }
}

// Lays things out from the right edge of the status bar to the left.
struct RightToLeft {
  ImDrawList& list;
  float x;
  float y;
  float gap;
  float left;  // what would begin before it is left out: half a number is another number

  void text(std::string_view words, ImU32 color) {
    const std::string safe = printable(words);
    const float width = ImGui::CalcTextSize(safe.c_str()).x;
    if (x - width < left) return;
    x -= width;
    draw_printable(list, {x, y}, color, safe, width, width);
    x -= gap;
  }
};

// Text, a bar and a button from `x` on, which moves behind them.
void draw_progress(const ChromeInput& input, const std::string& text, double share,
                   const char* cancel_command, float& x, float y) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string shown = printable(text, 80);
  const float text_width = ImGui::CalcTextSize(shown.c_str()).x;
  draw_printable(list, {x, y}, input.theme.text, shown, text_width, 400 * input.scale);
  x += std::min(text_width, 400 * input.scale) + 12 * input.scale;
  const float width = 140 * input.scale;
  const float middle = y + ImGui::GetFontSize() / 2;
  const float half = 3 * input.scale;
  list.AddRectFilled({x, middle - half}, {x + width, middle + half}, input.theme.border, half);
  list.AddRectFilled({x, middle - half},
                     {x + std::max(2 * half, width * static_cast<float>(share)), middle + half},
                     input.theme.accent, half);
  x += width + 12 * input.scale;
  ImGui::SetCursorScreenPos({x, y});
  ImGui::PushID(cancel_command);
  if (ImGui::SmallButton("Cancel")) input.commands.push_back({cancel_command});
  ImGui::PopID();
  x += 70 * input.scale;
}

void draw_loading(const ChromeInput& input, const OpenTrace& trace, float& x, float y) {
  const uint64_t done = trace.opening()->bytes_done();
  const uint64_t total = trace.opening()->bytes_total();
  if (total == 0)
    return draw_progress(input, "Loading: " + format_bytes(done), 0, "load.cancel", x, y);
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  draw_progress(input,
                fmt::format("Loading: {} of {}, {:.0f} %", format_bytes(done), format_bytes(total),
                            100 * share),
                share, "load.cancel", x, y);
}

// A few words that can be clicked, on a ground of their own.
bool badge(const ChromeInput& input, const char* id, const std::string& text, ImU32 color,
           RightToLeft& right) {
  const float pad = 8 * input.scale;
  const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * pad;
  right.x -= width;
  ImGui::SetCursorScreenPos({right.x, right.y - 3});
  const bool is_clicked = ImGui::InvisibleButton(id, {width, ImGui::GetFontSize() + 6});
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  right.list.AddRectFilled(low, high, faded(color, ImGui::IsItemHovered() ? 0.35F : 0.18F),
                           (high.y - low.y) / 2);
  draw_text(right.list, {low.x + pad, right.y}, color, text, width);
  right.x -= right.gap;
  return is_clicked;
}

// The badge that says that the trace is not whole.
void draw_loss_badge(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  const trace::ImportReport& report = trace.trace()->dictionary().report;
  if (report.losses().empty()) return;
  uint64_t count = 0;  // of a damaged trace what is damaged, else the notes
  for (const trace::Loss& loss : report.losses()) {
    if (loss.is_damage == report.has_damage()) count += loss.count;
  }
  const std::string text = !report.has_damage() ? counted(count, "note")
                           : count == 1         ? "1 loss"
                                                : format_count(count) + " losses";
  const ImU32 color = report.has_damage() ? input.theme.warning : input.theme.text_dim;
  if (badge(input, "losses", text, color, right)) input.commands.push_back({"losses.show"});
}

// What was loaded before somebody cancelled.
void draw_partial_note(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  const Opening* opening = trace.opening();
  if (!opening || !opening->is_done() || opening->bytes_done() >= opening->bytes_total()) return;
  const double share =
      static_cast<double>(opening->bytes_done()) / static_cast<double>(opening->bytes_total());
  right.text(fmt::format("loaded: {:.0f} % of the file", share * 100), input.theme.warning);
}

// Where empty time is cut out: how much of it; a click brings it back.
void draw_cut_badge(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  const FoldedTime time = trace.folded_time();
  if (!input.session.cut_from(trace) || !time.cuts()) return;
  const std::span<const TimeRange> cuts = time.cuts()->cuts();
  const std::string text =
      cuts.empty() ? "no empty time to cut out"
                   : fmt::format("{} cut out in {}",
                                 format_duration(time.cuts()->length(), trace.time_base()),
                                 counted(cuts.size(), "place"));
  if (badge(input, "cuts", text, input.theme.text_dim, right))
    input.commands.push_back({"view.compress"});
}

void draw_right_side(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  right.text("unit: " + std::string(name_of(trace.time_base())), input.theme.text_dim);
  draw_loss_badge(input, trace, right);
  draw_partial_note(input, trace, right);
  const TimeWindow& window = trace.view().window;
  // All of it is as long as it is said to be elsewhere: without the tick behind the last instant.
  const bool is_all = trace.shows_all();
  const Duration shown = is_all && !trace.shares_line()
                             ? trace.trace()->range().length()
                             : Duration{static_cast<int64_t>(std::min(window.length, 9e18))};
  const Duration pixel = {static_cast<int64_t>(std::min(window.length / 2000, 9e15))};
  if (!is_all) {
    const auto keys = input.session.keys.chords_of("view.fit");
    const std::string way_back = "Whole trace" + (keys.empty() ? "" : ": " + keys.front());
    if (badge(input, "whole", way_back, input.theme.text_dim, right))
      input.commands.push_back({"view.fit"});
  }
  draw_cut_badge(input, trace, right);
  right.text("shown: " + format_duration(shown, trace.time_base()), input.theme.text_dim);
  if (trace.selection) {
    right.text("selected: " + format_duration(trace.selection->length(), trace.time_base(), 6),
               input.theme.accent);
  }
  if (const auto hover = input.session.hover_in(trace)) {
    right.text("at " + time_label(input.session.time_display, *hover, trace.reach(),
                                  trace.time_base(), shown, pixel),
               input.theme.text);
  }
}

// The last message, what it offers first: that must stay where there is little room.
void draw_message(const ChromeInput& input, const Message& message, Area area, float y) {
  if (message.offer) {
    ImGui::SetCursorScreenPos({area.x0, y});
    if (ImGui::SmallButton(message.offer->title.c_str())) {
      input.commands.push_back({message.offer->command, message.offer->args});
    }
    area.x0 += ImGui::GetItemRectSize().x + 10 * input.scale;
  }
  draw_text(*ImGui::GetWindowDrawList(), {area.x0, y},
            message.is_error ? input.theme.error : input.theme.text_dim, message.text,
            area.width());
  ImGui::SetCursorScreenPos({area.x0, area.y0});
  if (ImGui::InvisibleButton("message", {std::max(1.0F, area.width()), area.height()})) {
    input.commands.push_back({"messages.show"});
  }
}

}  // namespace

bool text_item(const ChromeInput& input, int id, std::string_view text, bool is_checked) {
  ImGui::PushID(id);
  const std::string name = printable(text, 60);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::CalcTextSize(name.c_str()).x;
  const bool is_chosen =
      ImGui::Selectable("##item", is_checked, 0, {std::max(width, 160 * input.scale), 0});
  draw_text(*ImGui::GetWindowDrawList(), at, input.theme.text, name, width + 1);
  ImGui::PopID();
  return is_chosen;
}

float draw_menu_bar(const ChromeInput& input) {
  float height = 0;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  const bool is_shown = ImGui::BeginMainMenuBar();
  ImGui::PopStyleVar();
  if (!is_shown) return height;
  if (ImGui::BeginMenu("File")) {
    file_menu(input);
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("View")) {
    view_menu(input);
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("Help")) {
    command_item(input, "help.show", input.session.shows_help);
    command_item(input, "palette.show");
    command_item(input, "messages.show", input.session.shows_messages);
    ImGui::EndMenu();
  }
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 24 * input.scale);
  trace_tabs(input);
  height = ImGui::GetWindowSize().y;
  ImGui::EndMainMenuBar();
  return height;
}

float draw_status_bar(const ChromeInput& input) {
  const float height = std::round(kStatusPx * input.scale);
  const float top = input.area.y1 - height;
  ImGui::SetNextWindowPos({input.area.x0, top});
  ImGui::SetNextWindowSize({input.area.width(), height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, input.theme.header);
  ImGui::Begin("##status", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine({input.area.x0, top + 0.5F}, {input.area.x1, top + 0.5F}, input.theme.border);
  const float y = std::floor(top + (height - ImGui::GetFontSize()) / 2);
  const float margin = 12 * input.scale;
  RightToLeft right{list, input.area.x1 - margin, y, 22 * input.scale, input.area.x0 + margin};
  const OpenTrace* trace = input.session.trace();
  if (trace && trace->trace()) draw_right_side(input, *trace, right);
  float x = right.left;
  const bool is_loading = trace && trace->is_loading();
  if (is_loading) draw_loading(input, *trace, x, y);
  for (const auto& job : input.session.jobs) {
    draw_progress(input, job->title(), job->share(), "job.cancel", x, y);
  }
  const Message& message = input.session.message;
  if (!message.text.empty()) {
    draw_message(input, message, {x, top, right.x, input.area.y1}, y);
  } else if (!is_loading && input.session.jobs.empty()) {
    draw_text(list, {x, y}, input.theme.text_dim,
              "F1: keys and mouse     Ctrl+Shift+P: every command", right.x - x);
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  return height;
}

}  // namespace weft::app
