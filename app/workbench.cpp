#include "app/workbench.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <cmath>

namespace weft::app {
namespace {

constexpr double kEaseSeconds = 0.045;  // to cover 63 % of the way
constexpr float kSplitterPx = 5;
constexpr float kLeastFlexible = 0.45F;  // of the room, for the timeline

constexpr ImGuiWindowFlags kFixedWindow =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
    ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground |
    ImGuiWindowFlags_NoFocusOnAppearing;

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

// Both edges within a third of a pixel on a screen of 3000.
bool looks_like(const TimeWindow& a, const TimeWindow& b) {
  constexpr double kNear = 1e-4;
  const double begin = b.fraction_from_time(a.begin) + a.begin_fraction / b.length;
  return std::fabs(begin) < kNear && std::fabs(begin + a.length / b.length - 1) < kNear;
}

void begin_fixed_window(const std::string& label, const Area& area) {
  ImGui::SetNextWindowPos({area.x0, area.y0});
  ImGui::SetNextWindowSize({area.width(), area.height()});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin(label.c_str(), nullptr, kFixedWindow);
  ImGui::PopStyleVar(3);  // tooltips opened within have their own
}

}  // namespace

Workbench::Workbench(render::Renderer& renderer, WorkbenchOptions options, Journal journal)
    : renderer_(renderer),
      options_(std::move(options)),
      journal_(std::move(journal)),
      model_([maker =
                  std::make_shared<ModelMaker>()](const ModelKey& key) { return maker->make(key); },
             options_.wake),
      backdrop_(renderer) {
  session_.open_file = [this](const std::filesystem::path& path) {
    OpenOptions open;
    open.memory_bytes = options_.memory_bytes;
    open.is_watched = true;
    return Opening::start(path, std::move(open), import_pool_);
  };
  const PanelServices services = {&renderer, &question_pool_, options_.wake};
  for (const PanelRow& row : panel_table()) panels_.emplace_back(&row, row.create(services));
  apply_style(styled_, options_.scale);
  lower_priority(import_pool_);
}

Workbench::~Workbench() = default;

Status Workbench::run(const Command& command) {
  Status status = apply_command(session_, command);
  if (status) {
    journal_.add(command);
  } else {
    session_.say(status.error().message, /*is_error=*/true);
  }
  return status;
}

Status Workbench::wait_until_loaded() {
  OpenTrace* trace = session_.trace();
  if (!trace || !trace->opening()) return {};
  WEFT_TRY(trace->opening()->wait());
  trace->refresh();
  return {};
}

bool Workbench::is_loading() const {
  return std::ranges::any_of(session_.traces,
                             [](const auto& trace) { return trace->is_loading(); });
}

void Workbench::set_scale(float scale, const Fonts& fonts) {
  if (scale == options_.scale) return;
  options_.scale = scale;
  options_.fonts = fonts;
  apply_style(styled_, scale);
}

void Workbench::reset_tile_stats() {
  if (tiles_) tiles_->reset_stats();
}

void Workbench::frame(const Input& input, int width, int height) {
  if (styled_ != session_.theme) {
    styled_ = session_.theme;
    apply_style(styled_, options_.scale);
  }
  std::vector<Command> commands;
  if (!ImGui::GetIO().WantTextInput) commands = keyboard_.commands(input, session_);
  for (const auto& trace : session_.traces) trace->refresh();
  ease(input.seconds);
  is_stale_ = false;
  const std::shared_ptr<const TraceModel> model = update_model();
  update_tiles(model);

  const Area whole = {0, 0, static_cast<float>(width), static_cast<float>(height)};
  const ChromeInput chrome = {
      session_, theme_of(session_.theme), options_.fonts, options_.scale, whole, commands};
  Area inner = whole;
  if (only_.empty()) {
    inner.y0 += draw_menu_bar(chrome);
    inner.y1 -= draw_status_bar(chrome);
  }
  const std::vector<Placed> placed = arrange(inner);
  draw_panels(placed, model, commands);
  // Panels with a picture cover all but the gutter.
  Area bare = inner;
  if (model && !placed.empty()) bare.x1 = bare.x0 + gutter_px_;
  draw_backdrop(bare);
  if (only_.empty()) draw_splitters(placed, commands);
  draw_welcome(chrome, inner);
  draw_losses(chrome);
  draw_help(chrome);
  open_dialog_.draw(chrome);

  for (const Command& command : commands) (void)run(command);  // errors are shown
  const bool is_idle = commands.empty() && !keyboard_.is_moving() && !ImGui::IsAnyMouseDown();
  if (is_idle) journal_.flush();
}

void Workbench::paint() {
  backdrop_.paint();
  for (Panel* panel : shown_) panel->paint();
}

void Workbench::present(int framebuffer_height) const {
  backdrop_.present(framebuffer_height);
  for (const Panel* panel : shown_) panel->present(framebuffer_height);
}

void Workbench::draw_backdrop(const Area& area) {
  const render::Color color = theme_of(session_.theme).gutter;
  if (backdrop_.place(area) && backdrop_color_ == color) return;
  backdrop_color_ = color;
  backdrop_.redraw(area).background = color;
}

// The shown window follows the session's: at once when another trace is shown or the view is being
// dragged, otherwise on a short way that the eye can follow.
void Workbench::ease(double seconds) {
  is_easing_ = false;
  const OpenTrace* trace = session_.trace();
  if (!trace) return;
  const TimeWindow& target = trace->view().window;
  const bool jumps = seconds <= 0 || is_direct_ || shown_trace_ != trace->id();
  shown_trace_ = trace->id();
  if (jumps || shown_window_ == target) {
    shown_window_ = target;
    return;
  }
  const TimeWindow next =
      interpolate(shown_window_, target, 1 - std::exp(-std::min(seconds, 0.1) / kEaseSeconds));
  is_easing_ = !looks_like(next, target);
  shown_window_ = is_easing_ ? next : target;
}

std::shared_ptr<const TraceModel> Workbench::update_model() {
  const OpenTrace* trace = session_.trace();
  if (!trace) return nullptr;
  if (!trace->trace()) {
    is_stale_ |= trace->is_loading();
    return nullptr;
  }
  const std::pair generation = {trace->id(), trace->collapse_generation};
  if (!collapsed_ || collapsed_of_ != generation) {
    collapsed_ = std::make_shared<const layout::CollapsedLanes>(trace->collapsed);
    collapsed_of_ = generation;
  }
  const auto found =
      model_.find({trace->id(), trace->trace(), trace->collapse_generation, collapsed_,
                   session_.theme, lane_heights(session_.row_height_px, options_.scale)});
  is_stale_ |= found.is_stale;
  const bool is_of_this = found.value && found.value->trace_id == trace->id();
  return is_of_this ? found.value : nullptr;
}

void Workbench::update_tiles(const std::shared_ptr<const TraceModel>& model) {
  if (!model || model == tiles_of_) return;
  // Tiles of another trace must not stand in for those of this one.
  if (!tiles_of_ || tiles_of_->trace_id != model->trace_id) {
    render::TileCacheOptions options;
    options.on_ready = options_.wake;
    tiles_ = std::make_unique<render::TileCache>(renderer_, std::move(options));
  }
  const bool is_same_source =
      tiles_of_ && tiles_of_->trace == model->trace && tiles_of_->palette == model->palette;
  if (!is_same_source) tiles_->set_source(model->trace, model->palette);
  tiles_of_ = model;
}

std::vector<Workbench::Placed> Workbench::arrange(const Area& area) {
  std::vector<Placed> placed;
  float fixed = 0;
  const auto height_of = [&](const PanelRow& row) {
    const auto dragged = session_.panel_heights_px.find(std::string(row.id));
    const double px = dragged == session_.panel_heights_px.end()
                          ? static_cast<double>(row.default_height_px)
                          : dragged->second;
    return std::round(static_cast<float>(px) * options_.scale);
  };
  for (const auto& [row, panel] : panels_) {
    const bool is_shown =
        only_.empty() ? !session_.hidden_panels.contains(std::string(row->id)) : row->id == only_;
    if (!is_shown) continue;
    placed.push_back({row, panel.get(), area});
    if (row->default_height_px > 0) fixed += height_of(*row);
  }
  const float gap = std::round(kSplitterPx * options_.scale);
  const float gaps = gap * static_cast<float>(placed.empty() ? 0 : placed.size() - 1);
  const bool has_flexible =
      std::ranges::any_of(placed, [](const Placed& p) { return p.row->default_height_px == 0; });
  // Where there is too little room, the fixed ones shrink alike; where nothing takes what is left,
  // the last one does.
  const float room = std::max(1.0F, area.height() - gaps);
  const float least = has_flexible ? room * kLeastFlexible : 0;
  const float shrink = fixed > 0 ? std::min(1.0F, std::max(0.2F, (room - least) / fixed)) : 1;
  const float rest = std::max(1.0F, room - std::round(fixed * shrink));
  float y = area.y0;
  for (Placed& p : placed) {
    const bool is_fixed = p.row->default_height_px > 0;
    const float height = is_fixed ? std::round(height_of(*p.row) * shrink) : rest;
    p.area = {area.x0, y, area.x1, std::min(area.y1, y + height)};
    y += height + gap;
  }
  if (!placed.empty()) placed.back().area.y1 = area.y1;
  return placed;
}

void Workbench::draw_panels(const std::vector<Placed>& placed,
                            const std::shared_ptr<const TraceModel>& model,
                            std::vector<Command>& commands) {
  shown_.clear();
  PanelOutput output;
  // A time axis of its own width is kept however narrow the window is.
  gutter_px_ = std::round(std::min(static_cast<float>(session_.gutter_px) * options_.scale,
                                   placed.empty() ? 0 : placed.front().area.width() * 0.45F));
  for (const Placed& p : placed) {
    begin_fixed_window("##" + std::string(p.row->id), p.area);
    const PanelInput input = {session_,       session_.trace(), model,
                              shown_window_,  tiles_.get(),     theme_of(session_.theme),
                              options_.fonts, options_.scale,   p.area,
                              gutter_px_};
    p.panel->draw(input, output);
    ImGui::End();
    shown_.push_back(p.panel);
  }
  session_.hover = output.hover;
  is_direct_ = output.is_direct;
  is_stale_ |= output.is_stale;
  std::ranges::move(output.commands, std::back_inserter(commands));
}

void Workbench::draw_splitters(const std::vector<Placed>& placed, std::vector<Command>& commands) {
  for (size_t i = 0; i + 1 < placed.size(); ++i) {
    const Area area = {placed[i].area.x0, placed[i].area.y1, placed[i].area.x1,
                       placed[i + 1].area.y0};
    if (area.height() < 1) continue;
    begin_fixed_window("##split" + std::to_string(i), area);
    ImGui::InvisibleButton("split", {area.width(), area.height()});
    const bool is_active = ImGui::IsItemActive();
    const Theme& theme = theme_of(session_.theme);
    ImGui::GetWindowDrawList()->AddRectFilled(
        {area.x0, area.y0}, {area.x1, area.y1},
        is_active || ImGui::IsItemHovered() ? theme.accent : theme.border);
    if (is_active || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    if (ImGui::IsItemActivated()) splitter_gesture_ = new_gesture();
    // The one with a height of its own changes it; the timeline takes what is left.
    const Placed& above = placed[i];
    const Placed& below = placed[i + 1];
    const bool moves_above = above.row->default_height_px > 0;
    const float mouse = ImGui::GetIO().MousePos.y;
    const float px = moves_above ? mouse - above.area.y0 : below.area.y1 - mouse;
    if (is_active && px > 0 && ImGui::GetIO().MouseDelta.y != 0) {
      const auto id = std::string(moves_above ? above.row->id : below.row->id);
      commands.push_back(
          {"panel.height", {{"panel", id}, {"px", px / options_.scale}}, splitter_gesture_});
    }
    ImGui::End();
  }
  if (!placed.empty()) draw_gutter_splitter(placed, commands);
}

void Workbench::draw_gutter_splitter(const std::vector<Placed>& placed,
                                     std::vector<Command>& commands) {
  const float x = placed.front().area.x0 + gutter_px_;
  const float half = 3 * options_.scale;
  const Area area = {x - half, placed.front().area.y0, x + half, placed.back().area.y1};
  begin_fixed_window("##gutter", area);
  ImGui::InvisibleButton("split", {area.width(), std::max(1.0F, area.height())});
  if (ImGui::IsItemActive() || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ImGui::GetWindowDrawList()->AddRectFilled({x - 1, area.y0}, {x + 1, area.y1},
                                              theme_of(session_.theme).accent);
  }
  if (ImGui::IsItemActivated()) splitter_gesture_ = new_gesture();
  const float px = ImGui::GetIO().MousePos.x - placed.front().area.x0;
  if (ImGui::IsItemActive() && px > 0 && ImGui::GetIO().MouseDelta.x != 0) {
    commands.push_back({"gutter.width", {{"px", px / options_.scale}}, splitter_gesture_});
  }
  ImGui::End();
}

}  // namespace weft::app
