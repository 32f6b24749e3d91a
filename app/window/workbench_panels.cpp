// The panels of the workbench: where they are, what each is given to draw with, and what becomes of
// its answers.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/session/panel_kinds.h"
#include "app/session/panel_options.h"
#include "app/window/workbench.h"

namespace weft::app {
namespace {

std::unique_ptr<Job> start_table_job(const TableOrder& order, Sheet sheet,
                                     uint64_t most_copied_bytes, std::function<void()> wake) {
  const bool is_copy = order.file.empty();
  const auto work = [order, is_copy, most_copied_bytes,
                     sheet = std::move(sheet)](Job::Progress& progress) -> Result<Job::Outcome> {
    if (is_copy) {
      WEFT_TRY_ASSIGN(SheetText copy,
                      text_of_sheet(sheet, order.format, progress, most_copied_bytes));
      return Job::Outcome{counted(copy.rows, "row") + " copied" + sheet.shortfall,
                          std::move(copy.text)};
    }
    WEFT_TRY_ASSIGN(const uint64_t rows, write_sheet(sheet, order.format, progress, order.file));
    return Job::Outcome{
        counted(rows, "row") + " written to " + order.file.string() + sheet.shortfall,
        std::nullopt};
  };
  return std::make_unique<Job>(is_copy ? "Copying a table" : "Writing " + order.file.string(), work,
                               std::move(wake));
}

}  // namespace

std::vector<PlacedPanel> Workbench::arrange(const Area& area) {
  if (only_.empty()) return docking_.arrange(session_, area, options_.scale);
  const PanelInstance* instance = session_.desk.layout.find(only_);
  if (!instance) instance = session_.desk.layout.first_of(only_);
  if (!instance) {
    only_instance_.id = only_instance_.kind = only_;
    instance = &only_instance_;
  }
  const PanelKind* kind = find_panel_kind(instance->kind);
  if (!kind) return {};
  const float gutter = static_cast<float>(session_.look.gutter_px) * options_.scale;
  return {{instance, kind, area, std::round(std::min(gutter, area.width() * 0.45F))}};
}

std::optional<Area> Workbench::place_of(std::string_view panel) const {
  const PanelInstance* instance = session_.desk.layout.find(panel);
  if (!instance) instance = session_.desk.layout.first_of(panel);
  const auto place = stage_.places.find(instance ? instance->id : panel);
  return place == stage_.places.end() ? std::nullopt : std::optional(place->second);
}

// Draws the find bar of the focused view.
float Workbench::draw_find_bar(const ChromeInput& chrome, const Input& input) {
  const std::string& focused = session_.desk.layout.focused();
  const PinnedScope scope(session_, focused);
  const OpenTrace* trace = session_.trace();
  if (!trace || !session_.dialogs.shows_find) {
    find_bar_.close(trace);
    return 0;
  }
  LivePanel* own = scope.has_own_view() ? &stage_.live[focused] : nullptr;
  const size_t first = chrome.commands.size();
  const float height = find_bar_.draw(chrome, input, *trace, shown_filter(own, trace));
  due_.is_stale |= find_bar_.is_stale();
  due_.redraw.after(find_bar_.redraw_after_s());
  for (size_t i = first; scope.is_pinned() && i < chrome.commands.size(); ++i) {
    chrome.commands[i].args["in"] = focused;
  }
  return height;
}

// Commands of keys are about what has been typed before them.
void Workbench::apply_what_is_typed() {
  std::optional<Command> command = find_bar_.take_typed();
  if (!command) return;
  const std::string& focused = session_.desk.layout.focused();
  if (PinnedScope(session_, focused).is_pinned()) command->args["in"] = focused;
  (void)run(*command);  // errors are shown
}

void Workbench::draw_panels(const std::vector<PlacedPanel>& placed, const ChromeInput& chrome,
                            double seconds) {
  stage_.shown.clear();
  stage_.places.clear();
  stage_.has_drawn = false;
  std::set<uint64_t> drawn;
  std::optional<Hover> hover;
  for (auto& [id, live] : stage_.live) live.wanted_keys = {};
  const bool is_direct = std::exchange(is_direct_, false);
  update_passing_rows();
  update_cuts();
  if (OpenTrace* trace = session_.trace(); trace && !placed.empty()) {
    update_scene(*trace);
    window_.step(trace->folded_time().fold(trace->view().window), trace->time_id(), seconds,
                 is_direct);
    due_.is_easing |= window_.is_moving();
  }
  for (const PlacedPanel& panel : placed) {
    stage_.places.emplace(panel.instance->id, panel.area);
    const PinnedScope scope(session_, panel.instance->id);
    LivePanel& live = live_panel(panel.kind->id, panel.instance->id);
    OpenTrace* trace = session_.trace();
    if (trace && scope.is_pinned()) {
      update_scene(*trace);
      live.window.step(trace->folded_time().fold(trace->view().window), trace->time_id(), seconds,
                       scope.has_own_view() ? live.is_direct : is_direct);
      due_.is_easing |= live.window.is_moving();
    }
    PanelOutput output;
    draw_panel(panel, live, scope, chrome, output);
    // Options are kept of panels that are open; one that is in a picture alone has none.
    if (panel.instance == &only_instance_)
      std::erase_if(output.commands, [](const Command& c) { return c.name == "panel.set"; });
    for (Command& command : output.commands) {
      if (scope.is_pinned()) command.args["in"] = panel.instance->id;
      chrome.commands.push_back(std::move(command));
    }
    deliver_tables(panel.instance->id, output);
    const bool has_all = !output.is_stale && trace && !trace->is_loading();
    answer_sorts(panel.instance->id, output.sorts, has_all, chrome.commands);
    if (output.hover && trace) {
      hover = Hover{trace->id(), *output.hover, output.edge.value_or(*output.hover),
                    scope.is_pinned() ? panel.instance->id : std::string()};
    }
    live.is_direct = output.is_direct;
    live.wanted_keys = output.wanted_keys;
    if (output.clicked_table) live.keys_table = *output.clicked_table;
    is_direct_ |= output.is_direct && !scope.has_own_view();
    due_.is_stale |= output.is_stale;
    due_.redraw.after(output.redraw.seconds());
    if (trace) drawn.insert(trace->id());
    stage_.shown.push_back(live.panel.get());
  }
  note_filter_problems();
  drop_orders([&](const TableOrder& order) {
    return std::ranges::none_of(
        placed, [&](const PlacedPanel& panel) { return panel.instance->id == order.panel; });
  });
  // One that is behind others answers when it is in front.
  std::erase_if(session_.orders.sorts, [&](const SortOrder& order) {
    return !stage_.places.contains(order.panel) && !session_.desk.layout.find(order.panel);
  });
  session_.orders.edited_marker = 0;
  session_.hover = hover;
  if (hover) pointed_ = hover;
  for (const auto& [id, scene] : stage_.scenes) {
    if (scene->tiles()) scene->tiles()->end_frame();
  }
  for (const auto& trace : session_.traces) {
    if (trace->is_coupled() && session_.cut_from(*trace)) drawn.insert(trace->id());
  }
  // Filters before their scenes, which see to it that filtered rows are not freed within the frame.
  std::erase_if(stage_.filters, [&](const auto& filter) { return !drawn.contains(filter.first); });
  std::erase_if(stage_.scenes, [&](const auto& scene) { return !drawn.contains(scene.first); });
  std::erase_if(stage_.live, [&](const auto& live) {
    return !session_.desk.layout.find(live.first) && live.first != only_instance_.id;
  });
}

void Workbench::deliver_tables(const std::string& panel, PanelOutput& output) {
  for (TableDelivery& table : output.tables) {
    const auto order = std::ranges::find(session_.orders.tables, table.serial, &TableOrder::serial);
    if (order == session_.orders.tables.end()) continue;
    if (order->report_item != 0) {
      ReportItem* item = session_.report.find(order->report_item);
      if (item) item->table = std::move(table.sheet);
    } else {
      session_.jobs.push_back(start_table_job(*order, std::move(table.sheet),
                                              session_.memory.for_copy(), options_.wake));
    }
    session_.orders.tables.erase(order);
  }
  if (!output.is_stale) {
    drop_orders([&](const TableOrder& order) { return order.panel == panel; });
  }
}

// Answers the sort orders of the panel that its tables have answered or, if it has drawn
// everything, never will.
void Workbench::answer_sorts(const std::string& panel, std::span<const SortAnswer> answers,
                             bool has_all, std::vector<Command>& commands) {
  std::erase_if(session_.orders.sorts, [&](const SortOrder& order) {
    const auto answer = std::ranges::find(answers, order.table, &SortAnswer::table);
    const bool is_answered = answer != answers.end();
    if (order.panel != panel || (!is_answered && (!has_all || order.is_option))) return false;
    if (is_answered && std::ranges::count(answer->columns, order.column) > 0) return true;
    const std::string table = order.table.empty() ? "" : fmt::format("table '{}' of ", order.table);
    session_.messages.say(!is_answered
                              ? fmt::format("{}panel '{}' is not there to be sorted", table, panel)
                          : answer->columns.empty()
                              ? fmt::format("{}panel '{}' cannot be sorted", table, panel)
                              : fmt::format("{}panel '{}' has no column '{}', but: {}", table,
                                            panel, order.column, fmt::join(answer->columns, ", ")),
                          /*is_error=*/true);
    commands.push_back(
        {"panel.set", {{"panel", panel}, {"option", order.option()}, {"value", order.before}}});
    return true;
  });
}

void Workbench::drop_orders(const std::function<bool(const TableOrder&)>& is_dropped) {
  std::erase_if(session_.orders.tables, [&](const TableOrder& order) {
    if (!is_dropped(order)) return false;
    if (order.report_item != 0) return true;  // then it has a picture only
    session_.messages.say(fmt::format("panel '{}' shows no table{}{}", order.panel,
                                      order.table.empty() ? "" : " ", order.table),
                          /*is_error=*/true);
    return true;
  });
}

Workbench::LivePanel& Workbench::live_panel(std::string_view kind, const std::string& id) {
  LivePanel& live = stage_.live[id];
  if (!live.panel)
    live.panel =
        make_panel(kind, {stage_.renderer, &question_pool_, options_.wake, &memory_.watch()});
  return live;
}

void Workbench::draw_panel(const PlacedPanel& placed, LivePanel& live, const PinnedScope& scope,
                           const ChromeInput& chrome, PanelOutput& output) {
  const OpenTrace* trace = session_.trace();
  TraceScene* scene = scene_of(trace);
  const EasedWindow& window = scope.is_pinned() ? live.window : window_;
  const PanelInstance& instance = *placed.instance;
  const bool is_focused = session_.desk.layout.focused() == instance.id;
  begin_fixed_window("##" + instance.id, placed.area);
  uint64_t table_bytes = 0;
  for (const auto& [id, other] : stage_.live) table_bytes += other.panel->table_bytes();
  const Json options = options_in(instance, trace);
  const PanelInput input = {
      .id = instance.id,
      .options = options,
      .is_focused = is_focused,
      .session = session_,
      .trace = trace,
      .model = scene ? scene->model() : nullptr,
      .window = trace ? trace->folded_time().unfold(window.shown()) : window.shown(),
      .tiles = scene ? scene->tiles() : nullptr,
      .filter = shown_filter(scope.has_own_view() ? &live : nullptr, trace),
      .theme = chrome.theme,
      .fonts = options_.fonts,
      .scale = options_.scale,
      .area = placed.area,
      .gutter_px = placed.gutter_px,
      .table_bytes = table_bytes,
      .keys = is_focused ? keys_.of_panel() : std::span<const std::string>(),
      .keys_table = live.keys_table};
  const int before = ImGui::GetWindowDrawList()->VtxBuffer.Size;
  live.panel->draw(input, output);
  stage_.has_drawn |= ImGui::GetWindowDrawList()->VtxBuffer.Size != before;
  if (only_.empty()) {
    docking_.draw_over(chrome, placed);
    const bool is_clicked = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
                            ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if (is_clicked && !is_focused) {
      chrome.commands.push_back({"panel.focus", {{"panel", instance.id}}});
    }
  }
  ImGui::End();
}

// Draws what no picture covers: gutters, panels without a time axis, and everything while there is
// nothing to see yet.
void Workbench::draw_backdrops(const std::vector<PlacedPanel>& placed, const Area& area) {
  std::vector<Area> bare;
  for (const PlacedPanel& panel : placed) {
    bare.push_back(panel.area);
    const PinnedScope scope(session_, panel.instance->id);
    const OpenTrace* trace = session_.trace();
    const bool is_covered = panel.kind->has_time_axis && trace && trace->trace();
    if (is_covered) bare.back().x1 = panel.area.x0 + panel.gutter_px;
  }
  if (bare.empty()) bare.push_back(area);
  while (stage_.backdrops.size() < bare.size())
    stage_.backdrops.push_back({Canvas(*stage_.renderer)});
  stage_.backdrops.erase(stage_.backdrops.begin() + static_cast<ptrdiff_t>(bare.size()),
                         stage_.backdrops.end());
  const render::Color color = theme_of(session_.look.theme).gutter;
  for (size_t i = 0; i < bare.size(); ++i) {
    Backdrop& backdrop = stage_.backdrops[i];
    if (backdrop.canvas.place(bare[i]) && backdrop.color == color) continue;
    backdrop.color = color;
    backdrop.canvas.redraw(bare[i]).background = color;
  }
}

}  // namespace weft::app
