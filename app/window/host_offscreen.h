// The workbench without a window: the same frames, into a framebuffer of its own.
#pragma once

#include <memory>
#include <string>

#include "app/window/gui.h"
#include "app/window/run.h"
#include "app/window/snapshots.h"
#include "app/window/workbench.h"
#include "core/base/result.h"
#include "render/opengl/egl_context.h"
#include "render/opengl/offscreen_target.h"
#include "render/png.h"
#include "render/renderer.h"
#include "render/svg/svg_renderer.h"

namespace weft::app {

// The state of the mouse; the pointer is outside every panel by default.
struct Pointer {
  float x = -1e6F, y = -1e6F;
  bool is_down = false;  // the left button
  float wheel = 0;
  bool shift = false, control = false, alt = false;
  bool is_right_down = false, is_middle_down = false;
};

// Updates fonts and sizes for the display and the user's settings; call before a frame.
void update_scale(Workbench& workbench, Gui& gui);

// Builds one frame, ImGui's lists and the panels' batches, without making pixels.
void draw_frame(Workbench& workbench, Gui& gui, const Input& input, const Pointer& pointer,
                int width, int height);

// Makes the last frame's pixels.
void draw_pixels(Workbench& workbench, Gui& gui, const render::opengl::OffscreenTarget& target);

class OffscreenHost {
 public:
  struct Options {
    int width = 1920;
    int height = 1080;
    float scale = 1;
    std::filesystem::path config_folder, state_folder;  // see WorkbenchOptions
    bool reopens = false;
    bool has_user = false;
    bool is_vector =
        false;  // pictures are shapes: svg() gives them, picture() only what ImGui drew
  };
  static Result<std::unique_ptr<OffscreenHost>> create(const Options& options,
                                                       Journal journal = {});
  ~OffscreenHost();

  Workbench& workbench() { return *workbench_; }
  render::Renderer& renderer() { return *renderer_; }
  int width() const { return options_.width; }
  int height() const { return options_.height; }

  // Opens a file and waits until it is completely loaded.
  Status open(const std::filesystem::path& path, const TypeChoice& type = {});
  // Draws one frame: draw_frame(), Workbench::paint(), present() and Gui::draw().
  void frame(const Input& input = {}, const Pointer& pointer = {});
  void present();
  Gui& gui() { return *gui_; }
  // Draws frames until nothing shown is stale and nothing is being written; an error after ten
  // minutes.
  Status settle(const Pointer& pointer = {});
  DamageLines damage() const;
  // The pixels of the last frame.
  render::Image picture() const { return target_->read(); }
  // Draws a frame as shapes.
  render::SvgPage svg();
  // The pictures that commands have requested; call after a frame.
  Snapshots& snapshots() { return snapshots_; }

 private:
  explicit OffscreenHost(const Options& options) : options_(options) {}

  Options options_;
  std::unique_ptr<render::opengl::EglContext> context_;
  std::unique_ptr<render::Renderer> renderer_;
  render::SvgRenderer* svg_ = nullptr;  // equals renderer_ if pictures are shapes
  std::unique_ptr<Gui> gui_;
  std::unique_ptr<render::opengl::OffscreenTarget> target_;
  std::unique_ptr<Workbench> workbench_;
  Snapshots snapshots_;
};

// Opens the file and shows what the options say; the picture is not drawn yet. Returns what to say
// of that (SnapshotReport::note).
Result<std::string> set_up_picture(OffscreenHost& host, const PictureOptions& options);

}  // namespace weft::app
