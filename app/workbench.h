// The workbench: a session, its panels and how they share the window. The same in a window and
// offscreen; the host gives it input, a size and a framebuffer.
//
//   menu bar
//   overview        each panel as high as the user dragged it; the timeline takes the rest;
//   timeline        the time axes begin at one x, right of the gutter
//   density
//   status bar
//
// Lives on the frame thread. Imports, tiles and questions run on threads of their own and call
// `wake` when something has come.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/chrome.h"
#include "app/input.h"
#include "app/journal.h"
#include "app/keyboard.h"
#include "app/panels/canvas.h"
#include "app/panels/panels.h"
#include "app/session.h"
#include "app/trace_model.h"
#include "core/base/thread_pool.h"
#include "render/latest.h"

namespace weft::app {

struct WorkbenchOptions {
  uint64_t memory_bytes = 400ull << 20;  // for an import
  std::function<void()> wake;            // from any thread: draw again. May be empty
  float scale = 1;
  Fonts fonts;
};

class Workbench {
 public:
  Workbench(render::Renderer& renderer, WorkbenchOptions options, Journal journal = {});
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  const Session& session() const { return session_; }
  // Until the current trace is loaded; its error, where it cannot be.
  Status wait_until_loaded();
  // Applies a command and writes it to the journal; errors are shown to the user, too.
  Status run(const Command& command);
  // An error that is not a command's.
  void say(std::string error) { session_.say(std::move(error), /*is_error=*/true); }
  // The window is on another display now.
  void set_scale(float scale, const Fonts& fonts);
  // Only this panel, over the whole picture, without menu and status bar; empty: everything.
  void show_only(std::string_view panel) { only_ = panel; }
  const std::string& shown_only() const { return only_; }

  // Between ImGui::NewFrame and ImGui::Render: says what is to be drawn, no pixel yet.
  void frame(const Input& input, int width, int height);
  // Makes the pixels of the pictures that changed.
  void paint();
  // Copies the pictures into the framebuffer bound for drawing, under what ImGui draws.
  void present(int framebuffer_height) const;

  // The last frame showed nothing stale, and nothing is on its way.
  bool is_settled() const { return !is_stale_ && !is_easing_; }
  // The next frame will differ though nobody does anything.
  bool is_moving() const { return is_easing_ || keyboard_.is_moving(); }
  bool is_loading() const;

  std::vector<SnapshotRequest> take_snapshot_requests() {
    return std::exchange(session_.snapshots, {});
  }
  render::TileStats tile_stats() const { return tiles_ ? tiles_->stats() : render::TileStats{}; }
  void reset_tile_stats();

 private:
  struct Placed {
    const PanelRow* row = nullptr;
    Panel* panel = nullptr;
    Area area;
  };

  void ease(double seconds);
  std::shared_ptr<const TraceModel> update_model();
  void update_tiles(const std::shared_ptr<const TraceModel>& model);
  std::vector<Placed> arrange(const Area& area);
  void draw_panels(const std::vector<Placed>& placed,
                   const std::shared_ptr<const TraceModel>& model, std::vector<Command>& commands);
  void draw_splitters(const std::vector<Placed>& placed, std::vector<Command>& commands);
  void draw_gutter_splitter(const std::vector<Placed>& placed, std::vector<Command>& commands);
  void draw_backdrop(const Area& area);

  render::Renderer& renderer_;
  WorkbenchOptions options_;
  ThreadPool import_pool_;
  ThreadPool question_pool_;
  Session session_;
  Journal journal_;
  Keyboard keyboard_;
  OpenDialog open_dialog_;
  std::string only_;

  render::Latest<ModelKey, TraceModel> model_;
  std::shared_ptr<const layout::CollapsedLanes> collapsed_;
  std::pair<uint64_t, uint64_t> collapsed_of_;  // trace, generation

  std::unique_ptr<render::TileCache> tiles_;
  std::shared_ptr<const TraceModel> tiles_of_;

  std::vector<std::pair<const PanelRow*, std::unique_ptr<Panel>>> panels_;
  std::vector<Panel*> shown_;
  Canvas backdrop_;
  render::Color backdrop_color_ = 0;
  ThemeName styled_ = ThemeName::kDark;
  uint32_t splitter_gesture_ = 0;
  float gutter_px_ = 0;  // of the last frame

  TimeWindow shown_window_;
  uint64_t shown_trace_ = 0;
  bool is_easing_ = false;
  bool is_direct_ = false;
  bool is_stale_ = true;
};

}  // namespace weft::app
