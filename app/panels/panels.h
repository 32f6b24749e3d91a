// Panels, of which the workbench is made. A panel is an object with its own view state and a draw
// function; it reads the session, which it cannot change, and answers with commands.
//
// To add a panel, add a kind (app/session/panel_kinds.cpp), a row in panels.cpp and, if it has
// options, a row in app/session/panel_options.cpp. No panel knows another one, the workbench or a
// window. A panel may be open several times: each instance has an id and options (changed by
// panel.set, kept with the layout), and is linked to the trace's view or pinned to its own. It need
// not know which: the workbench passes it the trace in the right view, and applies its commands to
// that view.
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
#include "app/panels/redraw.h"
#include "app/panels/theme.h"
#include "app/session/commands.h"
#include "app/session/filter_scene.h"
#include "app/session/session.h"
#include "app/session/trace_model.h"
#include "core/base/thread_pool.h"
#include "render/renderer.h"
#include "render/tile_cache.h"

namespace weft::app {

inline constexpr double kRowsPerNotch = 3;  // rows scrolled by one notch of the wheel

class MemoryWatch;

// Services for all panels; they outlive the panels.
struct PanelServices {
  render::Renderer* renderer = nullptr;
  ThreadPool* pool = nullptr;  // for questions that use several threads
  std::function<void()> wake;  // draws another frame; may be called on any thread
  MemoryWatch* memory = nullptr;
};

// The input of a panel in each frame.
struct PanelInput {
  std::string_view id;  // of the instance, as in the layout
  const Json& options;  // of the instance, with those that belong to the trace
  bool is_focused;      // it has the focus
  const Session& session;
  const OpenTrace* trace;                   // the trace to show; null: none is open
  std::shared_ptr<const TraceModel> model;  // of that trace; null: none yet
  TimeWindow window;                        // as shown now, possibly still moving to the session's
  render::TileCache* tiles;                 // of that trace; null if the model is
  const ShownFilter& filter;                // the view's filter, for the model's trace
  const Theme& theme;
  const Fonts& fonts;
  float scale;               // of the display
  Area area;                 // pixels
  float gutter_px;           // a time axis begins at area.x0 + gutter_px
  uint64_t table_bytes = 0;  // size of the tables of all panels
  // Those of the keys that it wanted in the last frame which have been pressed since, and the table
  // that they are for.
  std::span<const std::string> keys = {};
  std::string_view keys_table = {};
};

// The content of a table that was ordered.
struct TableDelivery {
  uint64_t serial = 0;  // serial of the order
  Sheet sheet;
};

// The answer to a SortOrder: the columns by which the table can be sorted; none: its order is
// fixed.
struct SortAnswer {
  std::string table;
  std::vector<std::string> columns;
};

// The output of a panel in each frame.
struct PanelOutput {
  std::vector<Command> commands;
  std::vector<TableDelivery> tables;
  std::vector<SortAnswer> sorts;
  std::optional<Time> hover;  // the time under the pointer
  std::optional<Time> edge;   // the nearest edge drawn there
  bool is_direct = false;     // the view is being dragged, and follows without delay
  bool is_stale = false;      // something shown is not yet what was requested
  // Chords that it wants while it has the focus, although they belong to no command; static
  // storage.
  std::span<const std::string_view> wanted_keys;
  std::optional<std::string_view> clicked_table;  // from now on, keys go to this table
  Redraw redraw;                                  // because the content changes by itself
};

class Panel {
 public:
  virtual ~Panel() = default;
  virtual void draw(const PanelInput& input, PanelOutput& output) = 0;
  // Makes the pixels of its pictures if they have changed.
  virtual void paint() {}
  // Copies its pictures into the framebuffer, under what ImGui draws.
  virtual void present(int /*framebuffer_height*/) const {}
  // The size of the tables that it keeps from frame to frame.
  virtual uint64_t table_bytes() const { return 0; }
};

// Null if there is no such kind.
std::unique_ptr<Panel> make_panel(std::string_view kind, const PanelServices& services);

// Delivers what has been ordered of the panel's table, unless that is stale. `make` makes the
// sheet, which must own everything that it reads. For tables shown by a TableView, the view does
// this.
void offer_sheet(const PanelInput& input, std::string_view table, bool is_stale,
                 const std::function<Sheet()>& make, PanelOutput& output);

}  // namespace weft::app
