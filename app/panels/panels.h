// Panels: what the workbench is made of. A panel is a struct with its own view state and one draw;
// it reads the session, which it cannot change, and answers with commands.
//
// A new panel is one row in panels.cpp. No panel knows another one, the workbench or a window.
#pragma once

#include <imgui.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "app/session.h"
#include "app/theme.h"
#include "app/trace_model.h"
#include "core/base/thread_pool.h"
#include "render/renderer.h"
#include "render/tile_cache.h"

namespace weft::app {

struct Area {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  bool contains(ImVec2 p) const { return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1; }
};

// What panels are made with; it outlives them.
struct PanelServices {
  render::Renderer* renderer = nullptr;
  ThreadPool* pool = nullptr;  // for questions that take more than one thread
  std::function<void()> wake;  // from any thread: something has come, draw again
};

// What a panel is given every frame.
struct PanelInput {
  const Session& session;
  const OpenTrace* trace;                   // the current one; null: none is open
  std::shared_ptr<const TraceModel> model;  // of that trace; null: nothing of it is there yet
  TimeWindow window;                        // as shown now: on its way to the session's, or there
  render::TileCache* tiles;                 // of that trace; null where the model is
  const Theme& theme;
  const Fonts& fonts;
  float scale;      // of the display
  Area area;        // pixels
  float gutter_px;  // the time axis begins at area.x0 + gutter_px
};

// What it answers.
struct PanelOutput {
  std::vector<Command> commands;
  std::optional<Time> hover;  // the time under the pointer
  bool is_direct = false;     // the view is being dragged: it follows without delay
  bool is_stale = false;      // something shown is not yet what was asked for
};

class Panel {
 public:
  virtual ~Panel() = default;
  virtual void draw(const PanelInput& input, PanelOutput& output) = 0;
  // Makes the pixels of its pictures, where they changed.
  virtual void paint() = 0;
  // Puts its pictures under what ImGui draws.
  virtual void present(int framebuffer_height) const = 0;
};

struct PanelRow {
  std::string_view id;
  std::string_view title;
  float default_height_px;  // 0: takes what is left
  std::unique_ptr<Panel> (*create)(const PanelServices& services);
};

// From top to bottom.
std::span<const PanelRow> panel_table();
const PanelRow* find_panel(std::string_view id);

// A number for a new gesture; see Command::gesture.
uint32_t new_gesture();

}  // namespace weft::app
