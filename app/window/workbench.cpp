#include "app/window/workbench.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <barrier>
#include <cfloat>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>

#include "app/opening/plugins.h"
#include "app/panels/letters.h"
#include "app/panels/run_gesture.h"
#include "app/session/panel_kinds.h"
#include "app/session/pinned_scope.h"
#include "app/window/settings_dialog.h"
#include "core/formats/user_formats.h"

namespace weft::app {
namespace {

// An import takes what the processor has; frames come first.
void lower_priority(ThreadPool& pool) {
  constexpr int kNice = 5;
  const auto count = static_cast<ptrdiff_t>(pool.size());
  // One task for each thread: none ends before all have begun.
  const auto all = std::make_shared<std::barrier<>>(count);
  for (ptrdiff_t i = 0; i < count; ++i) {
    pool.submit([all] {
      setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
      all->arrive_and_wait();
    });
  }
}

std::unique_ptr<Job> start_table_job(const TableOrder& order, Sheet sheet,
                                     uint64_t most_copied_bytes, std::function<void()> wake) {
  const bool is_copy = order.file.empty();
  const auto work = [order, is_copy, most_copied_bytes,
                     sheet = std::move(sheet)](Job::Progress& progress) -> Result<Job::Outcome> {
    if (is_copy) {
      WEFT_TRY_ASSIGN(std::string text,
                      text_of_sheet(sheet, order.format, progress, most_copied_bytes));
      return Job::Outcome{counted(sheet.row_count, "row") + " copied", std::move(text)};
    }
    WEFT_TRY_ASSIGN(const uint64_t rows, write_sheet(sheet, order.format, progress, order.file));
    return Job::Outcome{counted(rows, "row") + " written to " + order.file.string(), std::nullopt};
  };
  return std::make_unique<Job>(is_copy ? "Copying a table" : "Writing " + order.file.string(), work,
                               std::move(wake));
}

}  // namespace

Workbench::Workbench(render::Renderer& renderer, WorkbenchOptions options, Journal journal)
    : options_(std::move(options)),
      journal_(std::move(journal)),
      files_(options_.config_folder, options_.state_folder),
      display_scale_(options_.scale),
      memory_(options_.wake) {
  stage_.renderer = &renderer;
  session_.host.open_file = [this](const std::filesystem::path& path, const TypeChoice& type) {
    OpenOptions open;
    open.type = type;
    open.memory_bytes = import_memory();
    open.takes_several = true;
    open.is_watched = true;
    if (may_have_no_end(path, type.follows)) open.recording = options_.recording;
    open.wake = options_.wake;
    open.asker = session_.questions;
    return Opening::start(path, std::move(open), import_pool_);
  };
  if (options_.has_user) session_.questions = std::make_shared<Questions>(options_.wake);
  session_.host.wake = options_.wake;
  session_.host.pool = &question_pool_;
  session_.host.import_memory = [this] { return import_memory(); };
  session_.host.state_folder = options_.state_folder;
  session_.host.trace_type_folder = [this] { return trace_type_folder(); };
  arrange_for_type(session_);
  session_.host.on_opened = [this](const OpenTrace& trace) { arrange_for_opened(session_, trace); };
  session_.host.on_close = [this](const OpenTrace& trace) { files_.remember(trace); };
  apply_style(styled_, options_.scale);
  lower_priority(import_pool_);
  for (const Command& command : files_.load(session_, options_.reopens)) {
    const uint64_t said_before = session_.messages.last.serial;
    (void)run(command);  // errors are shown
    if (session_.messages.last.is_error && session_.messages.last.serial != said_before)
      files_.set_aside_source_of(command, session_);
  }
}

Workbench::~Workbench() { files_.save(session_); }

Status Workbench::run(const Command& command) {
  const uint64_t said_before = session_.messages.last.serial;
  session_.messages.remedy.reset();
  Status status = apply_command(session_, command);
  if (status) {
    journal_.add(command);
    if (!find_command(command.name)->is_of_dialog)
      session_.note(command.name, command.args, command.gesture, said_before);
    last_command_ = UserFiles::Clock::now();
    files_.note_change(last_command_);
  } else {
    session_.messages.say(status.error().message, /*is_error=*/true,
                          std::move(session_.messages.remedy));
  }
  return status;
}

// A run that keeps nothing has a folder until its end: what it saves it may open.
Result<std::filesystem::path> Workbench::trace_type_folder() {
  if (!options_.config_folder.empty()) return formats::user_format_folder(options_.config_folder);
  if (!own_trace_types_) {
    WEFT_TRY_ASSIGN(io::TemporaryFolder folder, io::TemporaryFolder::create());
    own_trace_types_.emplace(std::move(folder));
  }
  return own_trace_types_->path();
}

Status Workbench::wait_until_loaded() {
  OpenTrace* trace = session_.trace();
  if (!trace || !trace->opening()) return {};
  const auto loaded = trace->opening()->wait();
  if (!loaded) {
    if (!session_.open_parts(*trace)) return fail(loaded.error());
    for (const auto& part : session_.traces) {
      if (part->opening()) WEFT_TRY(part->opening()->wait());
    }
  }
  session_.refresh();
  return {};
}

bool Workbench::is_loading() const {
  return std::ranges::any_of(session_.traces,
                             [](const auto& trace) { return trace->is_loading(); });
}

bool Workbench::has_progress() const {
  const auto is_counting = [](const auto& filter) { return filter && filter->is_counting(); };
  const auto is_awaited = [](const auto& trace) {
    return trace->is_loading() && !trace->is_live();
  };
  return std::ranges::any_of(session_.traces, is_awaited) || is_working() ||
         std::ranges::any_of(
             session_.traces,
             [](const auto& trace) { return trace->finder().progress() != nullptr; }) ||
         std::ranges::any_of(stage_.filters,
                             [&](const auto& of) { return is_counting(of.second); }) ||
         std::ranges::any_of(stage_.live,
                             [&](const auto& of) { return is_counting(of.second.filter); });
}

void Workbench::set_scale(float scale, const Fonts& fonts, bool is_as_wanted) {
  options_.fonts = fonts;  // they may have been made anew for letters
  are_fonts_stale_ = !is_as_wanted;
  if (scale == options_.scale) return;
  options_.scale = scale;
  apply_style(styled_, scale);
}

render::TileStats Workbench::tile_stats() {
  TraceScene* scene = scene_of(session_.trace());
  return scene && scene->tiles() ? scene->tiles()->stats() : render::TileStats{};
}

void Workbench::reset_tile_stats() {
  TraceScene* scene = scene_of(session_.trace());
  if (scene && scene->tiles()) scene->tiles()->reset_stats();
}

// Another trace may be of another type. Traces on one line share their panels.
void Workbench::arrange_for_current() {
  const OpenTrace* trace = session_.trace();
  if (!trace || std::exchange(arranged_for_, trace->id()) == trace->id()) return;
  if (!session_.couples_traces && !session_.desk.has_own_layout()) arrange_for_type(session_);
}

void Workbench::frame(const Input& pressed, int width, int height) {
  Input input = pressed;
  question_dialog_.take_keys(session_, input);
  if (styled_ != session_.look.theme) {
    styled_ = session_.look.theme;
    apply_style(styled_, options_.scale);
  }
  const size_t letters = wanted_letters().size();
  const auto focused = stage_.live.find(session_.desk.layout.focused());
  const auto wanted = focused == stage_.live.end() ? std::span<const std::string_view>()
                                                   : focused->second.wanted_keys;
  std::vector<Command> commands =
      keys_.begin_frame(input, session_, wanted,
                        session_.dialogs.shows_palette || session_.dialogs.shows_open_dialog);
  session_.refresh();
  arrange_for_current();
  for (const std::string& line : take_plugin_complaints())
    session_.messages.say(line, /*is_error=*/true);
  restore_views(commands);
  // These traces still show numbers for names.
  is_stale_ = std::ranges::any_of(session_.traces, [](const auto& trace) {
    return trace->is_loading() && !trace->names().paths().empty();
  });
  is_easing_ = false;
  redraw_after_s_ = 0;
  is_stale_ |= are_fonts_stale_;
  keep_memory();

  const Area whole = {0, 0, static_cast<float>(width), static_cast<float>(height)};
  const ChromeInput chrome = {
      session_, theme_of(session_.look.theme), options_.fonts, options_.scale, whole, commands};
  Area inner = whole;
  if (only_.empty() && has_bars_) {
    inner.y0 += draw_menu_bar(chrome);
    inner.y1 -= draw_status_bar(chrome);
    inner.y0 += draw_find_bar(chrome, input);
  }
  const std::vector<PlacedPanel> placed = arrange(inner);
  if (only_.empty() && leaves_pointer_to_dialog()) {
    ImVec2& pointer = ImGui::GetIO().MousePos;
    const ImVec2 at = std::exchange(pointer, {-FLT_MAX, -FLT_MAX});
    const std::optional<Hover> hover = session_.hover;
    draw_panels(placed, chrome, input.seconds);
    session_.hover = hover;  // what the palette runs may want it
    pointer = at;
  } else {
    draw_panels(placed, chrome, input.seconds);
  }
  draw_backdrops(placed, inner);
  if (only_.empty()) docking_.draw(chrome);
  const auto timeline =
      std::ranges::find(placed, "gantt", [](const PlacedPanel& panel) { return panel.kind->id; });
  // With a trace, the other panels say themselves why they are empty; some have much to show
  // without one, too.
  const bool has_trace = session_.trace() && session_.trace()->trace();
  const bool is_told =
      timeline == placed.end() && !placed.empty() && (has_trace || stage_.has_drawn);
  if (!is_told) draw_welcome(chrome, timeline == placed.end() ? inner : timeline->area);
  draw_losses(chrome);
  draw_help(chrome);
  draw_messages(chrome);
  file_dialog_.draw(chrome, input);
  is_stale_ |= file_dialog_.is_stale();
  go_to_dialog_.draw(chrome);
  recorder_dialog_.draw(chrome);
  if (session_.dialogs.shows_settings) draw_settings(chrome, files_.places());
  remote_dialog_.draw(chrome);
  if (remote_dialog_.is_live()) redraw_after_s_ = 1;
  question_dialog_.draw(chrome);
  palette_.draw(chrome, input);
  keys_.end_frame();

  notice_messages(pressed);
  keys_.run(commands, input, session_,
            [&](const Command& command) { (void)run(command); });  // errors are shown
  is_stale_ |= wanted_letters().size() != letters;
  if (session_.orders.clipboard) {
    ImGui::SetClipboardText(std::exchange(session_.orders.clipboard, std::nullopt)->c_str());
  }
  if (!commands.empty() || keys_.is_moving() || ImGui::IsAnyMouseDown()) return;
  const UserFiles::Clock::time_point now = UserFiles::Clock::now();
  if (files_.is_due(now)) files_.save(session_);
  // A run of keys, or of notches of the wheel, may go on after a moment: it is one line. What is
  // unsaved has frames until it is saved.
  const std::chrono::duration<double> pause(RunGesture::kPauseSeconds);
  if (now - last_command_ > pause || !files_.is_dirty()) journal_.flush();
  session_.save_markers();
}

// The last message is there for a while; after that it goes with whatever is done next or, where it
// offers something, with Escape. All are kept in the list of messages.
void Workbench::notice_messages(const Input& pressed) {
  constexpr double kLeastSeconds = 10;
  const uint64_t serial = session_.messages.last.serial;
  message_age_s_ = serial == aged_message_ ? message_age_s_ + pressed.seconds : 0;
  aged_message_ = serial;
  if (pressed.chords.empty() && !ImGui::IsAnyMouseDown()) return;
  session_.messages.noticed = serial;
  const bool has_escape = std::ranges::find(pressed.chords, "Escape") != pressed.chords.end();
  if (session_.messages.last.offer ? has_escape : message_age_s_ > kLeastSeconds)
    session_.messages.last = {"", false, {}, serial};
}

// Restores the views of reopened traces, once they are completely loaded.
void Workbench::restore_views(std::vector<Command>& commands) {
  for (size_t i = 0; i < session_.traces.size(); ++i) {
    const OpenTrace& trace = *session_.traces[i];
    if (!trace.trace() || trace.is_loading() || !restored_.insert(trace.id()).second) continue;
    Json state = files_.view_state_of(trace.path());
    if (state.is_null() || trace.history().undo_step()) continue;
    commands.push_back({"trace.restore", {{"index", i}, {"state", std::move(state)}}});
  }
}

void Workbench::paint() {
  for (Backdrop& backdrop : stage_.backdrops) backdrop.canvas.paint();
  for (Panel* panel : stage_.shown) panel->paint();
}

void Workbench::present(int framebuffer_height) const {
  for (const Backdrop& backdrop : stage_.backdrops) backdrop.canvas.present(framebuffer_height);
  for (const Panel* panel : stage_.shown) panel->present(framebuffer_height);
}

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
  is_stale_ |= find_bar_.is_stale();
  for (size_t i = first; scope.is_pinned() && i < chrome.commands.size(); ++i) {
    chrome.commands[i].args["in"] = focused;
  }
  return height;
}

// While a dialog is open, until the pointer moves: no tooltip of what it rests on covers the
// dialog.
bool Workbench::leaves_pointer_to_dialog() {
  const ImVec2 at = ImGui::GetIO().MousePos;
  const bool has_dialog = std::ranges::any_of(session_.dialogs.all(), [](bool* is) { return *is; });
  if (!has_dialog) {
    resting_pointer_ = at;
  } else if (resting_pointer_ && (resting_pointer_->x != at.x || resting_pointer_->y != at.y)) {
    resting_pointer_.reset();
  }
  return has_dialog && resting_pointer_;
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
  update_line_cuts();
  if (OpenTrace* trace = session_.trace(); trace && !placed.empty()) {
    update_scene(*trace);
    window_.step(trace->folded_time().fold(trace->view().window), trace->time_id(), seconds,
                 is_direct);
    is_easing_ |= window_.is_moving();
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
      is_easing_ |= live.window.is_moving();
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
    is_stale_ |= output.is_stale;
    if (output.redraw_after_s > 0 &&
        (redraw_after_s_ == 0 || output.redraw_after_s < redraw_after_s_)) {
      redraw_after_s_ = output.redraw_after_s;
    }
    if (trace) drawn.insert(trace->id());
    stage_.shown.push_back(live.panel.get());
  }
  drop_orders([&](const TableOrder& order) {
    return std::ranges::none_of(
        placed, [&](const PlacedPanel& panel) { return panel.instance->id == order.panel; });
  });
  std::erase_if(session_.orders.sorts,
                [&](const SortOrder& order) { return !stage_.places.contains(order.panel); });
  session_.orders.edited_marker = 0;
  session_.hover = hover;
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
    if (order.panel != panel || (!is_answered && !has_all)) return false;
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

void Workbench::start_job(std::string title, Job::Work work) {
  session_.jobs.push_back(std::make_unique<Job>(std::move(title), std::move(work), options_.wake));
}

void Workbench::put_into_report(uint64_t item, render::SvgPage picture, std::string context) {
  ReportItem* into = session_.report.find(item);
  if (!into) return;
  into->picture = std::make_shared<const render::SvgPage>(std::move(picture));
  into->context = std::move(context);
  say("Added to the report: " + into->title, /*is_error=*/false);
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
    live.panel = make_panel(kind, {stage_.renderer, &question_pool_, options_.wake, &memory_});
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
  const PanelInput input = {
      .id = instance.id,
      .options = instance.options,
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
