// Panels: what the workbench is made of. A panel is a struct with its own view state and one draw;
// it reads the session, which it cannot change, and answers with commands.
//
// A new panel is a kind (app/session/panel_kinds.cpp) and a row in panels.cpp. No panel knows
// another one, the workbench or a window. It may be open several times: each instance has an id,
// options that panel.set changes and that are kept with the layout, and is linked to the trace's
// view or pinned to its own, which it need not know: the workbench hands it the trace as it is to
// be shown, and its commands back to that view.
#pragma once

#include <imgui.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/area.h"
#include "app/panels/theme.h"
#include "app/session/commands.h"
#include "app/session/filter_scene.h"
#include "app/session/session.h"
#include "app/session/trace_model.h"
#include "core/base/thread_pool.h"
#include "render/renderer.h"
#include "render/tile_cache.h"

namespace weft::app {

inline constexpr double kRowsPerNotch = 3;  // of the wheel

class MemoryWatch;

// What panels are made with; it outlives them.
struct PanelServices {
  render::Renderer* renderer = nullptr;
  ThreadPool* pool = nullptr;  // for questions that take more than one thread
  std::function<void()> wake;  // from any thread: something has come, draw again
  MemoryWatch* memory = nullptr;
};

// What a panel is given every frame.
struct PanelInput {
  std::string_view id;  // of the instance, as in the layout
  const Json& options;  // of the instance
  bool is_focused;      // it was clicked last
  const Session& session;
  const OpenTrace* trace;                   // the one to show; null: none is open
  std::shared_ptr<const TraceModel> model;  // of that trace; null: nothing of it is there yet
  TimeWindow window;                        // as shown now: on its way to the session's, or there
  render::TileCache* tiles;                 // of that trace; null where the model is
  const ShownFilter& filter;                // of the view; of the model's trace
  const Theme& theme;
  const Fonts& fonts;
  float scale;               // of the display
  Area area;                 // pixels
  float gutter_px;           // a time axis begins at area.x0 + gutter_px
  uint64_t table_bytes = 0;  // of the tables of all panels
  // Of the keys that it wanted in the last frame, those pressed since; of this one of its tables.
  std::span<const std::string> keys = {};
  std::string_view keys_table = {};
};

// A table that was ordered, and what is in it.
struct TableDelivery {
  uint64_t serial = 0;  // of the order
  Sheet sheet;
};

// A table that has been told to sort (SortOrder), and by what it can be; nothing: its order is its
// own.
struct SortAnswer {
  std::string table;
  std::vector<std::string> columns;
};

// What it answers.
struct PanelOutput {
  std::vector<Command> commands;
  std::vector<TableDelivery> tables;
  std::vector<SortAnswer> sorts;
  std::optional<Time> hover;  // the time under the pointer
  std::optional<Time> edge;   // of what is drawn near it
  bool is_direct = false;     // the view is being dragged: it follows without delay
  bool is_stale = false;      // something shown is not yet what was asked for
  // Chords that are not those of commands while it has the focus; they outlive the program.
  std::span<const std::string_view> wanted_keys;
  std::optional<std::string_view> clicked_table;  // keys are for this table from now on
  // What is shown changes by itself, and is to be drawn again after so many seconds at the latest;
  // 0: it does not.
  double redraw_after_s = 0;
};

class Panel {
 public:
  virtual ~Panel() = default;
  virtual void draw(const PanelInput& input, PanelOutput& output) = 0;
  // Makes the pixels of its pictures, where they changed.
  virtual void paint() = 0;
  // Puts its pictures under what ImGui draws.
  virtual void present(int framebuffer_height) const = 0;
  // Of the tables that it keeps from frame to frame.
  virtual uint64_t table_bytes() const { return 0; }
};

// Null where there is none of that kind.
std::unique_ptr<Panel> make_panel(std::string_view kind, const PanelServices& services);

// Answers what has been ordered of a table of the panel, unless it is stale: `make` makes its
// sheet, which must own what it reads. Tables that a table_view shows are offered by it.
void offer_sheet(const PanelInput& input, std::string_view table, bool is_stale,
                 const std::function<Sheet()>& make, PanelOutput& output);

// A number for a new gesture; see Command::gesture.
uint32_t new_gesture();

}  // namespace weft::app
