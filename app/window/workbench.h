// The workbench: a session, its panels and how they share the window. It is the same in a window
// and offscreen; the host provides input, a size and a framebuffer.
//
//   menu bar
//   panels          as the layout says (docking.h); the time axes of one column begin at one x
//   status bar
//
// Used on the frame thread. Imports, tiles and questions run on threads of their own, which call
// `wake` when something has come.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/timeline/canvas.h"
#include "app/session/filter_scene.h"
#include "app/session/journal.h"
#include "app/session/pinned_scope.h"
#include "app/session/session.h"
#include "app/session/trace_scene.h"
#include "app/session/user_files.h"
#include "app/view/eased_window.h"
#include "app/view/line_cuts.h"
#include "app/window/chrome.h"
#include "app/window/dialog_windows.h"
#include "app/window/docking.h"
#include "app/window/find_bar.h"
#include "app/window/input.h"
#include "app/window/memory_bounds.h"
#include "app/window/message_age.h"
#include "app/window/pressed_keys.h"
#include "core/base/thread_pool.h"
#include "core/io/archive.h"

namespace weft::app {

struct WorkbenchOptions {
  uint64_t memory_bytes = store::kUsualMemoryBytes;  // the most that an import may use
  uint64_t memory_limit_bytes = 0;                   // takes precedence over the setting; 0: none
  Recording recording;                               // for traces from a pipe
  std::function<void()> wake;          // draws another frame, from any thread. May be empty
  std::filesystem::path state_folder;  // for markers and the session; empty: not kept
  float scale = 1;                     // of the display
  Fonts fonts;
  std::filesystem::path config_folder;  // for the user's files; empty: none are read or kept
  bool reopens = false;                 // reopens the last traces, if the settings say so
  bool has_user = false;                // whether someone can answer connections
};

class Workbench {
 public:
  Workbench(render::Renderer& renderer, WorkbenchOptions options, Journal journal = {});
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  const Session& session() const { return session_; }
  // Call when the user returns from another window.
  void notice_return() { session_.notice_changed_files(); }
  // Waits until the current trace is loaded; returns its error if it cannot be.
  Status wait_until_loaded();
  // Applies a command and writes it to the journal; errors are also shown to the user.
  Status run(const Command& command);
  // Shows a message that does not come from a command.
  void say(std::string text, bool is_error) { session_.messages.say(std::move(text), is_error); }
  // Call when the window moves to a display with another scale.
  void set_display_scale(float scale) { display_scale_ = scale; }
  // The scale that the display and the user's setting require. The host makes fonts for it, then
  // calls set_scale(); until then, the scale stays.
  float wanted_scale() const {
    return display_scale_ * static_cast<float>(session_.look.font_scale);
  }
  void set_scale(float scale, const Fonts& fonts, bool is_as_wanted);
  // Whether changes are waiting to be saved after a moment; see UserFiles.
  bool has_unsaved() const { return files_.is_dirty(); }
  // Shows only this panel (an instance, or the first of a kind) over the whole picture, without
  // menu and status bar; empty: everything.
  void show_only(std::string_view panel) { only_ = panel; }
  const std::string& shown_only() const { return only_; }
  // Leaves out menu and status bar: the arranged panels are the whole picture.
  void leave_out_bars() { has_bars_ = false; }

  // Call between ImGui::NewFrame() and ImGui::Render(): determines what is drawn, without making
  // pixels.
  void frame(const Input& input, int width, int height);
  // Makes the pixels of the pictures that have changed.
  void paint();
  // Copies the pictures into the framebuffer bound for drawing, under what ImGui draws.
  void present(int framebuffer_height) const;

  // Whether the last frame showed nothing stale, and nothing is on its way.
  bool is_settled() const {
    return !due_.is_stale && !due_.is_easing && session_.orders.tables.empty();
  }
  // Whether the next frame will differ without any input.
  bool is_moving() const { return due_.is_easing || keys_.is_moving(); }
  bool is_loading() const;
  // The seconds after which the content of a panel changes by itself; 0: none does.
  double redraw_after_s() const { return due_.redraw.seconds(); }
  void start_job(std::string title, Job::Work work);
  // Whether a job is running.
  bool is_working() const { return !session_.jobs.empty(); }
  // Whether the next command of a series may run.
  bool is_ready() const { return is_settled() && !is_loading() && !is_working(); }
  // Whether something that is shown grows by itself: an import, a count of hits, a file being
  // written.
  bool has_progress() const;

  std::vector<SnapshotRequest> take_snapshot_requests() {
    return std::exchange(session_.orders.snapshots, {});
  }
  // Puts the picture of an item into the report, with what one must know to see it again.
  void put_into_report(uint64_t item, render::SvgPage picture, std::string context);
  // Statistics of the current trace's tiles.
  render::TileStats tile_stats();
  void reset_tile_stats();

 private:
  // The state of a layout's instance while it is open.
  struct LivePanel {
    std::unique_ptr<Panel> panel;
    EasedWindow window;      // if it is pinned
    bool is_direct = false;  // its view is being dragged
    std::unique_ptr<FilterScene> filter;
    std::span<const std::string_view> wanted_keys;  // in the last frame; none if it was not drawn
    std::string keys_table;
  };
  struct Backdrop {
    Canvas canvas;
    render::Color color = 0;
  };
  // What the frame being drawn leaves to the next ones.
  struct Due {
    bool is_stale = true;    // something that is shown is being made
    bool is_easing = false;  // a view is moving by itself
    Redraw redraw = {};
  };

 public:
  // What one renderer draws: the panels and what they need of their traces. A second stage draws
  // the same session in another way, such as by shapes, without affecting the first.
  struct Stage {
    render::Renderer* renderer = nullptr;                      // outlives the stage
    std::map<uint64_t, std::unique_ptr<TraceScene>> scenes;    // by id of the traces shown
    LineCuts line_cuts;                                        // of the traces on one line
    std::map<uint64_t, std::unique_ptr<FilterScene>> filters;  // for their linked views
    std::map<std::string, LivePanel, std::less<>> live;        // by instance
    std::map<std::string, Area, std::less<>> places;           // of instances, in the last frame
    std::vector<Panel*> shown;
    std::vector<Backdrop> backdrops;
    bool has_drawn = false;  // whether a panel has drawn in the last frame
  };
  void swap_stage(Stage& other) { std::swap(stage_, other); }
  render::Renderer& renderer() { return *stage_.renderer; }
  // The place of the panel (an instance, or the first of a kind) in the last frame.
  std::optional<Area> place_of(std::string_view panel) const;

 private:
  std::vector<PlacedPanel> arrange(const Area& area);
  void begin_frame();
  void draw_frame(const ChromeInput& chrome, const Input& input);
  void draw_welcome_over(const std::vector<PlacedPanel>& placed, const ChromeInput& chrome,
                         const Area& inner);
  void save_what_is_due();
  void draw_panels(const std::vector<PlacedPanel>& placed, const ChromeInput& chrome,
                   double seconds);
  LivePanel& live_panel(std::string_view kind, const std::string& id);
  void draw_panel(const PlacedPanel& placed, LivePanel& live, const PinnedScope& scope,
                  const ChromeInput& chrome, PanelOutput& output);
  void deliver_tables(const std::string& panel, PanelOutput& output);
  void answer_sorts(const std::string& panel, std::span<const SortAnswer> answers, bool has_all,
                    std::vector<Command>& commands);
  void drop_orders(const std::function<bool(const TableOrder&)>& is_dropped);
  TraceScene* scene_of(const OpenTrace* trace);
  void update_scene(OpenTrace& trace);
  void update_passing_rows();
  void note_filter_problems();
  void update_cuts();
  // The filter of the view being shown: the panel's own, or that of all linked panels.
  const ShownFilter& shown_filter(LivePanel* own, const OpenTrace* trace);
  float draw_find_bar(const ChromeInput& chrome, const Input& input);
  void apply_what_is_typed();
  void draw_backdrops(const std::vector<PlacedPanel>& placed, const Area& area);
  Result<std::filesystem::path> trace_type_folder();
  void restore_views(std::vector<Command>& commands);
  uint64_t import_memory();

  WorkbenchOptions options_;
  std::optional<io::TemporaryFolder> own_trace_types_;  // used if nothing is kept
  ThreadPool import_pool_;
  ThreadPool question_pool_;
  Session session_;
  Journal journal_;
  PressedKeys keys_;
  UserFiles files_;
  UserFiles::Clock::time_point last_command_{};
  std::set<uint64_t> restored_;  // traces whose last view was restored
  DialogWindows dialogs_;
  FindBar find_bar_;
  std::optional<Hover> pointed_;  // the last place of the pointer over a time axis
  MessageAge message_age_;
  float display_scale_ = 1;
  Docking docking_;
  std::string only_;
  bool has_bars_ = true;
  PanelInstance only_instance_;  // used if no panel of the kind is open

  Stage stage_;
  layout::Theme styled_ = layout::Theme::kDark;

  MemoryBounds memory_;
  EasedWindow window_;      // shared by all linked panels
  bool is_direct_ = false;  // whether one of them is being dragged
  Due due_;
  bool are_fonts_stale_ = false;
};

}  // namespace weft::app
