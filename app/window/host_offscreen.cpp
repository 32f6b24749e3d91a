#include "app/window/host_offscreen.h"

#include <imgui.h>

#include <thread>

#include "app/session/losses.h"
#include "app/window/snapshots.h"
#include "render/opengl/opengl_renderer.h"

namespace weft::app {
namespace {

using Clock = std::chrono::steady_clock;

// Dear ImGui took events instead of plain state in 1.87.
void set_pointer(ImGuiIO& io, const Pointer& pointer) {
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(pointer.x, pointer.y);
  io.AddMouseButtonEvent(0, pointer.is_down);
  io.AddMouseButtonEvent(1, pointer.is_right_down);
  io.AddMouseButtonEvent(2, pointer.is_middle_down);
  if (pointer.wheel != 0) io.AddMouseWheelEvent(0, pointer.wheel);
  io.AddKeyEvent(ImGuiMod_Shift, pointer.shift);
  io.AddKeyEvent(ImGuiMod_Ctrl, pointer.control);
  io.AddKeyEvent(ImGuiMod_Alt, pointer.alt);
#else
  io.MousePos = {pointer.x, pointer.y};
  io.MouseDown[0] = pointer.is_down;
  io.MouseDown[1] = pointer.is_right_down;
  io.MouseDown[2] = pointer.is_middle_down;
  io.MouseWheel = pointer.wheel;
  io.KeyShift = pointer.shift;
  io.KeyCtrl = pointer.control;
  io.KeyAlt = pointer.alt;
#endif
}

}  // namespace

void update_scale(Workbench& workbench, Gui& gui) {
  const bool is_as_wanted = gui.update_fonts(workbench.wanted_scale());
  workbench.set_scale(gui.scale(), gui.fonts(), is_as_wanted);
}

void draw_frame(Workbench& workbench, Gui& gui, const Input& input, const Pointer& pointer,
                int width, int height) {
  update_scale(workbench, gui);
  gui.begin_frame();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DisplayFramebufferScale = {1, 1};
  io.DeltaTime = input.seconds > 0 ? static_cast<float>(input.seconds) : 1.0F / 60;
  set_pointer(io, pointer);
  ImGui::NewFrame();
  workbench.frame(input, width, height);
  ImGui::Render();
}

void draw_pixels(Workbench& workbench, Gui& gui, const render::opengl::OffscreenTarget& target) {
  workbench.paint();
  target.bind();
  workbench.present(target.height());
  gui.draw();
}

Result<std::unique_ptr<OffscreenHost>> OffscreenHost::create(const Options& options,
                                                             Journal journal) {
  std::unique_ptr<OffscreenHost> host(new OffscreenHost(options));
  WEFT_TRY_ASSIGN(host->context_, render::opengl::EglContext::create());
  if (options.is_vector) {
    auto svg = std::make_unique<render::SvgRenderer>();
    host->svg_ = svg.get();
    host->renderer_ = std::move(svg);
  } else {
    WEFT_TRY_ASSIGN(host->renderer_, render::opengl::create_renderer());
  }
  host->gui_ = std::make_unique<Gui>(options.scale);
  host->target_ = std::make_unique<render::opengl::OffscreenTarget>(options.width, options.height);
  WorkbenchOptions workbench;
  workbench.scale = options.scale;
  workbench.fonts = host->gui_->fonts();
  workbench.config_folder = options.config_folder;
  workbench.state_folder = options.state_folder;
  workbench.reopens = options.reopens;
  workbench.has_user = options.has_user;
  host->workbench_ =
      std::make_unique<Workbench>(*host->renderer_, std::move(workbench), std::move(journal));
  return host;
}

OffscreenHost::~OffscreenHost() = default;

Status OffscreenHost::open(const std::filesystem::path& path, const TypeChoice& type) {
  WEFT_TRY(workbench_->run(open_command(path, type)));
  return workbench_->wait_until_loaded();
}

void OffscreenHost::frame(const Input& input, const Pointer& pointer) {
  draw_frame(*workbench_, *gui_, input, pointer, options_.width, options_.height);
  draw_pixels(*workbench_, *gui_, *target_);
}

void OffscreenHost::present() {
  target_->bind();
  workbench_->present(options_.height);
}

Status OffscreenHost::settle(const Pointer& pointer) {
  const Clock::time_point deadline = Clock::now() + kMostPictureWait;
  // Two frames at least: what the first one's commands changed is seen in the second. Only the last
  // one needs its pixels.
  for (int frames = 0;; ++frames) {
    draw_frame(*workbench_, *gui_, {}, pointer, options_.width, options_.height);
    if (frames > 0 && workbench_->is_ready()) break;
    if (Clock::now() > deadline) return fail("the picture was not complete in time");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the workers' turn
  }
  draw_pixels(*workbench_, *gui_, *target_);
  return {};
}

DamageLines OffscreenHost::damage() const {
  DamageLines lines;
  for (const auto& trace : workbench_->session().traces) {
    const std::string why = trace->trace() ? damage_line(*trace->trace()) : "";
    if (why.empty()) continue;
    const std::string file = trace->path() == "-" ? "standard input" : trace->path().string();
    lines.push_back(file + ": " + why);
  }
  return lines;
}

render::SvgPage OffscreenHost::svg() {
  return draw_svg(*workbench_, *gui_, *svg_, options_.width, options_.height);
}

}  // namespace weft::app
