// What all panels share: the open traces and how they are looked at.
//
// Read by everyone, changed only by commands (app/session/commands.h), on the frame thread. Plain
// data; it draws nothing and knows no panel. Pixels here are logical: the display scale is applied
// by the workbench.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/job.h"
#include "app/base/json.h"
#include "app/base/sheet.h"
#include "app/base/time_display.h"
#include "app/opening/open.h"
#include "app/session/key_map.h"
#include "app/session/marker_file.h"
#include "app/session/markers.h"
#include "app/session/memory_keeper.h"
#include "app/session/message_classes.h"
#include "app/session/symbol_names.h"
#include "app/view/element_step.h"
#include "app/view/find_step.h"
#include "app/view/folded_time.h"
#include "app/view/lane_place.h"
#include "app/view/mouse_mode.h"
#include "app/view/named_colors.h"
#include "app/view/panel_layout.h"
#include "app/view/time_line.h"
#include "app/view/view_history.h"
#include "core/base/result.h"
#include "core/base/strong_id.h"
#include "core/base/thread_pool.h"
#include "core/base/time.h"
#include "core/io/source.h"
#include "core/layout/lanes.h"
#include "core/query/element.h"
#include "core/store/trace.h"
#include "render/latest.h"
#include "render/svg/svg_page.h"

namespace weft::app {

inline constexpr double kLeastRowPx = 3;
inline constexpr double kMostRowPx = 60;

// Something that a command would do about a message.
struct Offer {
  std::string title;    // "Show it"
  std::string command;  // one of the table
  Json args = Json::object();
};

struct Message {
  std::string text;
  bool is_error = false;
  std::optional<Offer> offer = {};
  uint64_t serial = 0;    // grows with every message
  uint64_t in_a_row = 1;  // said since the user did something, with this one
};

// By which a file is known from one run to the next.
std::filesystem::path absolute_path(const std::filesystem::path& path);

class OpenTrace {
 public:
  // Of an import that may still be running.
  explicit OpenTrace(std::unique_ptr<Opening> opening);
  // Of a trace that is there.
  OpenTrace(std::filesystem::path path, std::shared_ptr<const store::Trace> trace);

  // Different for every trace opened in this process.
  uint64_t id() const { return id_; }
  const std::filesystem::path& path() const { return path_; }
  // What the names of files begin with that lie beside it.
  std::filesystem::path beside() const { return io::path_beside(path_); }
  // What it is called: the file's name.
  std::string name() const { return path_ == "-" ? "standard input" : path_.filename().string(); }
  const std::filesystem::path& known_as() const { return known_as_; }  // absolute_path of it
  Opening* opening() const { return opening_.get(); }
  TypeChoice type() const { return opening_ ? opening_->type() : TypeChoice(); }  // as asked for
  // The file is another one than it was when this was asked last, or opened.
  bool take_file_change();
  // Null until something of it has been read.
  const std::shared_ptr<const store::Trace>& trace() const { return trace_; }
  // All of it: half-open, so a tick longer than to the last end, where an instant may lie. [0, 1)
  // where there is no trace yet.
  TimeRange range() const;
  TimeBase time_base() const;
  std::string format() const;  // id of its type; empty: it is not known yet
  OnLine on_line() const { return {time_base(), view().offset, view().rate}; }
  // How far views go: the range of all traces on its time line, in its own ticks; its own range
  // where it is alone. Set by the session.
  TimeRange reach() const { return reach_.value_or(range()); }
  bool shares_line() const { return reach_.has_value(); }
  bool is_coupled() const { return shares_line() && !history_.is_apart; }
  void set_reach(std::optional<TimeRange> reach, double least_ticks);

  // How its time is cut, now: what Session::cut_from() asks for, once workers have found it; where
  // it is coupled, as that of the others on the line.
  const FoldedTime& folded_time() const { return cut_time().folded; }
  // Changes where the time that is looked at is another: of another trace, or cut otherwise.
  uint64_t time_id() const { return cut_time().id; }
  void set_cuts(std::shared_ptr<const TimeCuts> cuts);
  // Stretches without events are cut out that are at least so long; nothing: none are.
  std::optional<Duration> cut_from;
  bool is_loading() const {
    return (opening_ && !opening_->is_done()) || (names_ && names_->is_pending());
  }
  bool has_failed() const { return !error_.empty(); }
  // The file is there, and of a type that is known.
  bool is_opened() const { return is_opened_; }
  bool take_opened();  // true once
  const std::string& error() const { return error_; }

  // From where names and structs come (symbols::read_symbols); read anew, none: numbers are shown.
  void set_symbols(std::vector<std::filesystem::path> paths, std::function<void()> wake);
  std::vector<std::filesystem::path> symbol_paths() const {
    return names_ ? names_->paths() : std::vector<std::filesystem::path>();
  }
  // Null until they are read.
  const std::shared_ptr<const symbols::Symbols>& symbols() const { return symbols_; }

  // Takes the newest snapshot, and the element that a step has led to; while nobody has moved the
  // view, it follows the growing trace. What there is to tell the user; without text: nothing.
  Message refresh();

  const View& view() const { return history_.view; }
  // Moves the view; views of one gesture (other than 0) are one step of undo. Steps of several
  // traces that are undone together get one number from new_step().
  void navigate(const View& view, uint32_t gesture) { navigate(view, gesture, new_step()); }
  void navigate(const View& view, uint32_t gesture, uint64_t step);
  static uint64_t new_step();
  // The window, brought to where it may be.
  TimeWindow clamped(const TimeWindow& window) const {
    return window.clamped(reach(), least_ticks_);
  }
  // A window of folded time, zoomed as far as it may be.
  TimeWindow zoomed(const TimeWindow& folded, double factor, double at_fraction) const;
  bool shows_all() const { return view().window == TimeWindow::from_range(reach()); }
  void fit(uint32_t gesture);
  void follow_end(uint32_t gesture);  // at the same zoom
  void stay() { history_.follow = Follow::kNothing; }
  // The view, where it follows the trace that has grown (ViewHistory::follow).
  void follow_growth();
  // It grows as somebody sends it, through a pipe, and may have no end.
  bool is_live() const { return opening_ && !opening_->is_done() && opening_->is_live(); }
  // Steps like any other, but what is followed is still followed.
  void set_filter(const ViewFilter& filter, uint32_t gesture);
  void set_open_runs(std::vector<TimeRange> runs);
  // Shows what another trace does: no step of its own.
  void follow(const TimeWindow& window) { history_.view.window = window; }
  // The numbers of the steps, of the view or of the lanes, that undo and redo would take; nothing:
  // none.
  std::optional<uint64_t> undo_step() const;
  std::optional<uint64_t> redo_step() const;
  void undo();  // there is a step
  void redo();
  void drop_redo();
  // Exchanges where it is looked at, with all steps: see PinnedScope.
  void swap_history(ViewHistory& other) { std::swap(history_, other); }
  const ViewHistory& history() const { return history_; }

  // The element that was clicked or stepped to.
  const std::optional<query::ElementRef>& element() const { return element_; }
  void select_element(std::optional<query::ElementRef> element);
  // Moves the view in time to where it is seen, and asks panels to scroll to its lane.
  void reveal_element(uint32_t gesture);
  // The same for a time and a lane; none: no lane in particular.
  void reveal(LaneId lane, TimeRange range, uint32_t gesture);
  // A lane alone, to the top of the panel.
  void reveal_lane(LaneId lane);
  uint64_t reveals() const { return reveals_; }  // grows with every such wish
  LaneId revealed_lane() const { return revealed_lane_; }
  bool reveals_lane_alone() const { return reveals_lane_alone_; }
  // Goes to where something was lost, once a worker knows where its lane stands (wakes); `said` is
  // said again where that is hidden.
  void show_loss(const trace::LossPlace& place, std::string said, uint32_t gesture,
                 std::function<void()> wake);
  const std::optional<trace::LossPlace>& shown_loss() const { return shown_loss_; }
  // Selects where the step leads, once a worker has found it (wakes), and shows it.
  void step_element(ElementStep step, std::function<void()> wake);
  bool is_stepping() const { return step_.has_value() || find_.has_value() || loss_.has_value(); }
  // The same with the nearest event that the view's filter lets pass: from the selected element, or
  // from the window's edge, and round the trace's end.
  void find(query::Direction direction, ThreadPool& pool, std::function<void()> wake);
  // The last one that was found, while it is selected.
  const std::optional<FoundHit>& hit() const { return hit_; }
  // How far the one that is looked for is; null: none is.
  const query::SearchProgress* find_progress() const {
    return find_ ? find_->progress.get() : nullptr;
  }

  TimeDisplay time_display;  // the session's, for whoever has only the trace
  Markers markers;
  // Reads those that were kept, in that folder or beside the trace; once.
  Status load_markers(const std::filesystem::path& folder);
  // Writes them where they have changed.
  Status save_markers();
  Status keep_markers_beside();  // from now on beside the trace

  // The classes of messages that lie in a file beside it; null: the user's are those of this trace.
  MessageClassesPtr message_classes;
  Status load_message_classes();  // once

  // Which lanes are shown, and how; never null, and another one after every change.
  const LaneViewPtr& lanes() const { return lanes_; }
  const layout::CollapsedLanes& collapsed() const { return lanes_->collapsed; }
  const layout::LaneArrangement& arrangement() const { return lanes_->arrangement; }
  // A step, as navigate() is; views and lanes go back in the order in which they were changed.
  void show_lanes(LaneView lanes, uint32_t gesture);
  // With LaneArrangement::hides_empty; null: all. No step.
  void set_passing_rows(const layout::RowSet& rows);
  // No step: as they were left at the last start.
  void restore_lanes(LaneView lanes);
  std::optional<TimeRange> selection;
  std::vector<LaneId> selected_lanes;             // with what lies below; none: all
  std::array<std::optional<View>, 10> bookmarks;  // views to come back to

 private:
  void show_first();
  Message refresh_trace();
  void change_in_place(const View& changed, uint32_t gesture);
  TimeWindow window_at_end() const;
  std::shared_ptr<const store::Trace> take_named(Message& news);
  Message take_stepped();
  Message take_found();
  Message take_loss();
  TimeRange range_of(const trace::LossPlace& place) const;
  // Unfolds what is above the lane; what to do where it is not shown even so.
  std::optional<Offer> unfold(LaneId lane, const layout::LanePlace& place);
  // Shows the selected element, which was asked for: "find: the hit". What there is to say of it.
  Message show_found(std::string_view what, const layout::LanePlace& place);

  uint64_t id_;
  std::filesystem::path path_;
  std::filesystem::path known_as_;
  std::optional<Time> file_changed_;  // when, as far as it is known
  std::unique_ptr<Opening> opening_;
  std::shared_ptr<const store::Trace> plain_;  // as it was read
  std::unique_ptr<SymbolNames> names_;
  std::shared_ptr<const symbols::Symbols> symbols_;
  std::string names_news_;                     // what was told of them last
  std::shared_ptr<const store::Trace> trace_;  // with names, where there are
  std::string error_;
  bool is_opened_ = false;
  ViewHistory history_;
  LaneViewPtr lanes_ = std::make_shared<const LaneView>();
  Steps<LaneViewPtr> lane_steps_;
  std::optional<TimeRange> reach_;
  struct CutTime {
    FoldedTime folded;
    uint64_t id;
  };
  const CutTime& cut_time() const { return is_coupled() ? line_time_ : own_time_; }
  CutTime own_time_ = {{}, id_};
  CutTime line_time_ = {{}, id_};  // that it shares
  double least_ticks_ = TimeWindow::kMinTicks;

  std::optional<MarkerFile> marker_file_;
  bool has_loaded_classes_ = false;
  std::optional<query::ElementRef> element_;
  uint64_t reveals_ = 0;
  LaneId revealed_lane_ = LaneId::none();
  bool reveals_lane_alone_ = false;
  std::optional<trace::LossPlace> shown_loss_;
  struct LossStep {
    LanePlaceKey lane;
    std::string said;
    uint32_t gesture;
  };
  std::optional<LossStep> loss_;  // on its way
  std::unique_ptr<render::Latest<LanePlaceKey, layout::LanePlace>> placer_;
  std::optional<ElementStepKey> step_;  // on its way
  std::unique_ptr<render::Latest<ElementStepKey, StepAnswer>> stepper_;
  std::optional<FindKey> find_;  // on its way
  std::unique_ptr<render::Latest<FindKey, FindAnswer>> finder_;
  std::optional<FoundHit> hit_;
};

// The time under the pointer.
struct Hover {
  uint64_t trace_id = 0;  // in whose ticks
  Time time;
  Time edge;          // of what is drawn there; the time where nothing is
  std::string panel;  // one that does not look as all do; else empty
};

enum class ThemeName : uint8_t { kDark, kLight };

// Whether a picture of that name is shapes and text (.svg), or a PNG (.png, no ending). No other.
Result<bool> is_vector_picture(const std::filesystem::path& output);

// A picture to be taken once a frame shows nothing stale.
struct SnapshotRequest {
  std::string panel;  // an instance, a kind, or "workbench"
  int width_px = 0;   // 0: as it is
  int height_px = 0;
  std::filesystem::path output;
  bool is_svg = false;
  bool has_context = false;  // a text beside it says what is seen: OUTPUT.txt
  uint64_t report_item = 0;  // of Session::report: it is shapes and goes there, into no file
};

// A table that is to leave the program, once its rows are there; see offer_sheet.
struct TableOrder {
  std::string panel;  // id of the instance
  std::string table;  // which of the panel's; empty: its main one
  SheetFormat format = SheetFormat::kCsv;
  std::filesystem::path file;  // empty: to the clipboard
  uint64_t serial = 0;         // grows with every order
  uint64_t report_item = 0;    // of Session::report: it goes there
};

// A panel as it was when the user put it into the report.
struct ReportItem {
  uint64_t id = 0;                                 // from 1
  std::string title;                               // of the panel
  std::string note;                                // the user's
  std::string context;                             // trace, times, options
  std::shared_ptr<const render::SvgPage> picture;  // null: not yet drawn
  Sheet table;                                     // its main one; without columns: it has none
};

// A file that is to be named by the user before a command runs: see file.ask.
struct FileWish {
  std::string title;           // of the dialog
  std::string command;         // runs with the file's path …
  std::string argument;        // … as this argument
  Json args = Json::object();  // its other arguments
  std::filesystem::path file;  // what is suggested
  bool is_there = false;       // a file or a folder to be read, not one to be written
};

// What was done, for people and for replay.
struct JournalEntry {
  std::string command;
  Json args;
  uint32_t gesture = 0;      // its last command stands for all of a name
  uint64_t trace_id = 0;     // that was shown; 0: none
  View view;                 // of it, afterwards
  uint64_t said_before = 0;  // serial of the last message before it
};

struct Session {
  // How files are opened: app/opening/open.h, or a test's own.
  std::function<std::unique_ptr<Opening>(const std::filesystem::path&, const TypeChoice&)>
      open_file;
  // Its type is known; again once all of it is read. May be empty
  std::function<void(const OpenTrace&)> on_opened;
  std::function<void(const OpenTrace&)> on_close;  // before a trace goes. May be empty
  std::function<void()> wake;  // from any thread: something has come, draw again. May be empty

  ThreadPool* pool = nullptr;  // for what commands ask; null: they find nothing

  // Where the user's own trace types are kept; made when it is asked for first. May be empty.
  std::function<Result<std::filesystem::path>()> trace_type_folder;
  std::filesystem::path state_folder;  // markers are kept here; empty: nowhere

  std::vector<std::unique_ptr<OpenTrace>> traces;
  size_t current = 0;
  bool couples_traces = false;  // they move and zoom together, on one time line

  ThemeName theme = ThemeName::kDark;
  bool has_safe_colors = false;     // those that everybody can tell apart
  bool has_patterns = false;        // besides colours
  bool colors_by_duration = false;  // states: by how long they take, not by type
  double font_scale = 1;            // of everything, on top of the display's
  // By name; never null, and another one after every change.
  std::shared_ptr<const NamedColors> type_colors = std::make_shared<const NamedColors>();
  std::shared_ptr<const NamedColors> lane_colors = std::make_shared<const NamedColors>();
  // The user's; never null, and another one after every change.
  MessageClassesPtr message_classes = std::make_shared<const MessageClasses>();
  TimeDisplay time_display;
  bool reopens_traces = true;       // at the next start
  uint64_t memory_limit_bytes = 0;  // as the user has set it; 0: none
  MemoryKeeper memory;              // what is made of it, by the workbench
  KeyMap keys;
  double row_height_px = 18;
  std::string fit_rows_in;      // a panel that is to answer which height fills it; empty: none
  double gutter_px = 240;       // the column left of all time axes
  size_t panels_per_kind = 16;  // as many may be open at a time
  PanelLayout layout;
  PanelLayout arranged;  // as the program made it last (arrange_for_type)
  std::map<std::string, PanelLayout> saved_layouts;  // by name
  std::map<std::string, ViewGroup> groups;           // by name
  bool shows_links = true;
  bool shows_losses = false;
  bool shows_help = false;
  bool shows_palette = false;
  bool shows_menus = false;  // by a key: the mouse needs no command
  std::string palette_asks;  // the command whose arguments it asks for at once; empty: none
  bool shows_messages = false;
  bool shows_open_dialog = false;
  bool shows_go_to = false;
  bool shows_find = false;
  MouseMode mouse_mode = MouseMode::kDrag;

  std::optional<Hover> hover;                 // in any panel
  Message message;                            // the last one
  uint64_t noticed = 0;                       // serial of the last one when the user did something
  std::optional<Offer> remedy;                // of the command that is about to fail
  std::vector<Message> messages;              // oldest first, at most kMessages
  std::vector<std::filesystem::path> recent;  // files, newest first, at most kRecent
  std::vector<std::string> recent_filters;    // expressions, newest first, at most kRecent
  std::map<std::string, std::string> kept_filters;  // expressions, by name
  std::vector<SnapshotRequest> snapshots;
  std::vector<JournalEntry> journal;  // oldest first, at most kMostJournal
  std::vector<TableOrder> table_orders;
  std::vector<ReportItem> report;
  std::vector<std::unique_ptr<Job>> jobs;  // under way, and done since the last refresh()
  std::optional<FileWish> file_wish;       // the dialog is open
  std::optional<std::string> clipboard;    // to be put there after the frame
  bool is_quitting = false;

  // Whether the palette and each of the dialogs is shown.
  std::array<bool*, 6> dialogs();
  // Whether the user has arranged panels otherwise than the program did.
  bool has_own_layout() const;
  // A table's rows, to wherever the order says, once its panel has them.
  void order_table(TableOrder order);
  // Null: there is none of that id.
  ReportItem* find_report_item(uint64_t id);
  // Before each frame: takes what workers have found.
  void refresh();
  // When nothing happens for a moment: writes the markers that have changed.
  void save_markers();
  OpenTrace* trace() { return current < traces.size() ? traces[current].get() : nullptr; }
  const OpenTrace* trace() const {
    return current < traces.size() ? traces[current].get() : nullptr;
  }
  OpenTrace* find_trace(uint64_t id);
  OpenTrace* find_trace(
      const std::filesystem::path& path);  // the first of that file, however named
  // Makes that trace the current one, where it is open.
  void select_trace(uint64_t id);
  // With the panels that stay with it; the last of a kind shows the current one.
  void close(const OpenTrace& trace);
  // Another reading of it: its place and its panels are the other's.
  void replace(const OpenTrace& trace, std::unique_ptr<OpenTrace> by);
  // Offers to read files again that have changed since they were read.
  void notice_changed_files();
  // What is under the pointer, in the trace's own ticks; nothing where that is another trace that
  // it shares no time line with.
  std::optional<Time> hover_in(const OpenTrace& trace) const;

  // The last step of the current trace, of those it is coupled with, or of the height of rows;
  // false: there is none.
  bool undo();
  bool redo();
  void set_row_height(double px, uint32_t gesture);
  // Where the trace's time is to be cut, in its ticks: what it asks for itself or, on a line with
  // others, the longest that any of these asks for.
  std::optional<Duration> cut_from(const OpenTrace& trace) const;
  void set_cut_from(OpenTrace& trace, std::optional<Duration> least);  // and of its line
  // Says to each trace how far its views go.
  void update_reach();
  // All coupled traces show what this one does.
  void follow(const OpenTrace& leader);
  // Of an archive of several traces, once that is known: puts these in its place. False: it is
  // none.
  bool open_parts(const OpenTrace& archive);
  void say(std::string text, bool is_error = false, std::optional<Offer> offer = {});
  void add_recent(const std::filesystem::path& path);
  void add_recent_filter(const std::string& text);

  // What a command has done; those of one gesture and name are one entry.
  void note(const std::string& command, const Json& args, uint32_t gesture, uint64_t said_before);

  static constexpr size_t kMostJournal = 20'000;
  static constexpr size_t kMessages = 200;
  static constexpr size_t kRecent = 20;

 private:
  // The current trace and those that it is coupled with.
  std::vector<OpenTrace*> moved_together();
  // What became of files that were opened: what cannot be opened is said, and gone.
  void take_opened();
  void release_panels(uint64_t trace_id);

  Steps<double> row_height_steps_;
};

// Those that lie beside the trace, else the user's; never null.
const MessageClassesPtr& message_classes_of(const Session& session, const OpenTrace& trace);

}  // namespace weft::app
