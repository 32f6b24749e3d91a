#include "app/window/workbench.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <barrier>
#include <cfloat>
#include <chrono>
#include <optional>

#include "app/opening/plugins.h"
#include "app/panels/letters.h"
#include "app/panels/run_gesture.h"
#include "app/session/panel_kinds.h"
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

bool leads_to_panel(const Command& command) {
  constexpr std::string_view kLeading[] = {"panel.next", "panel.previous", "find.list"};
  return std::ranges::find(kLeading, command.name) != std::end(kLeading);
}

}  // namespace

Workbench::Workbench(render::Renderer& renderer, WorkbenchOptions options, Journal journal)
    : options_(std::move(options)),
      journal_(std::move(journal)),
      files_(options_.config_folder, options_.state_folder),
      display_scale_(options_.scale),
      memory_(options_.memory_limit_bytes, options_.wake) {
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
  arrange_as_at_first(session_);
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
    session_.messages.say_failed(command.name, status.error().message);
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

void Workbench::frame(const Input& pressed, int width, int height) {
  Input input = pressed;
  dialogs_.take_keys(session_, input);
  const auto focused = stage_.live.find(session_.desk.layout.focused());
  const auto wanted = focused == stage_.live.end() ? std::span<const std::string_view>()
                                                   : focused->second.wanted_keys;
  std::vector<Command> commands =
      keys_.begin_frame(input, session_, wanted,
                        session_.dialogs.shows_palette || session_.dialogs.shows_open_dialog ||
                            session_.dialogs.file_wish.has_value());
  if (!commands.empty()) apply_what_is_typed();
  const size_t letters = wanted_letters().size();
  begin_frame();
  restore_views(commands);
  const Area whole = {0, 0, static_cast<float>(width), static_cast<float>(height)};
  draw_frame({session_, theme_of(session_.look.theme), options_.fonts, options_.scale, whole,
              commands, pointed_},
             input);
  keys_.end_frame();

  docking_.mark_focus(commands);
  message_age_.step(session_.messages, pressed);
  keys_.run(commands, input, session_, [&](const Command& command) {
    const Status status = run(command);  // errors are shown
    if (status && leads_to_panel(command)) keys_.leave_field();
    return command.name == "find.show" && session_.dialogs.shows_find && find_bar_.focus();
  });
  due_.is_stale |= wanted_letters().size() != letters;
  if (session_.orders.clipboard) {
    ImGui::SetClipboardText(std::exchange(session_.orders.clipboard, std::nullopt)->c_str());
  }
  if (commands.empty() && !keys_.is_moving() && !ImGui::IsAnyMouseDown()) save_what_is_due();
}

// Takes what has come since the last frame.
void Workbench::begin_frame() {
  if (styled_ != session_.look.theme) {
    styled_ = session_.look.theme;
    apply_style(styled_, options_.scale);
  }
  session_.refresh();
  // Another trace may be of another type. Traces on one line share their panels.
  const OpenTrace* const shown = session_.trace();
  const bool is_other = shown && shown->id() != session_.desk.arranged_for;
  if (is_other && !session_.couples_traces) arrange_for_current(session_);
  for (const std::string& line : take_plugin_complaints())
    session_.messages.say(line, /*is_error=*/true);
  const bool shows_numbers = std::ranges::any_of(session_.traces, [](const auto& trace) {
    return trace->is_loading() && !trace->names().paths().empty();
  });
  due_ = {.is_stale = shows_numbers || are_fonts_stale_};
  if (memory_.apply(session_, stage_.renderer->gpu_bytes(), stage_.scenes)) due_.redraw.after(1);
}

void Workbench::draw_frame(const ChromeInput& chrome, const Input& input) {
  const bool has_rest = only_.empty();
  Area inner = chrome.area;
  if (has_rest && has_bars_) {
    inner.y0 += draw_menu_bar(chrome);
    inner.y1 -= draw_status_bar(chrome);
    inner.y0 += draw_find_bar(chrome, input);
  }
  const std::vector<PlacedPanel> placed = arrange(inner);
  if (has_rest && dialogs_.has_pointer(session_.dialogs)) {
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
  if (has_rest) docking_.draw(chrome);
  draw_welcome_over(placed, chrome, inner);
  dialogs_.draw(chrome, input, files_.places());
  due_.is_stale |= dialogs_.is_stale();
  // What was read for this frame may be damaged: the next one tells.
  due_.is_stale |= std::ranges::any_of(session_.traces,
                                       [](const auto& trace) { return trace->has_new_damage(); });
  due_.redraw.after(dialogs_.redraw_after_s());
}

// With a trace, panels say themselves why they are empty; some have much to show without one, too.
void Workbench::draw_welcome_over(const std::vector<PlacedPanel>& placed, const ChromeInput& chrome,
                                  const Area& inner) {
  const auto timeline =
      std::ranges::find(placed, "gantt", [](const PlacedPanel& panel) { return panel.kind->id; });
  const bool has_trace = session_.trace() && session_.trace()->trace();
  const bool is_told =
      timeline == placed.end() && !placed.empty() && (has_trace || stage_.has_drawn);
  if (!is_told) draw_welcome(chrome, timeline == placed.end() ? inner : timeline->area);
}

// A run of keys, or of notches of the wheel, may go on after a moment: it is one line of the
// journal. What is unsaved has frames until it is saved.
void Workbench::save_what_is_due() {
  const UserFiles::Clock::time_point now = UserFiles::Clock::now();
  if (files_.is_due(now)) files_.save(session_);
  const std::chrono::duration<double> pause(RunGesture::kPauseSeconds);
  if (now - last_command_ > pause || !files_.is_dirty()) journal_.flush();
  if (const auto failure = journal_.take_failure())
    session_.messages.say(failure->message, /*is_error=*/true);
  session_.save_markers();
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

void Workbench::paint() {
  for (Backdrop& backdrop : stage_.backdrops) backdrop.canvas.paint();
  for (Panel* panel : stage_.shown) panel->paint();
}

void Workbench::present(int framebuffer_height) const {
  for (const Backdrop& backdrop : stage_.backdrops) backdrop.canvas.present(framebuffer_height);
  for (const Panel* panel : stage_.shown) panel->present(framebuffer_height);
}

}  // namespace weft::app
