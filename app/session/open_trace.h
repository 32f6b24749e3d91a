// One open trace: how it is read, which view of it is shown, and what is selected in it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/json.h"
#include "app/base/time_display.h"
#include "app/opening/open.h"
#include "app/session/element_finder.h"
#include "app/session/marker_file.h"
#include "app/session/markers.h"
#include "app/session/message_classes.h"
#include "app/session/messages.h"
#include "app/session/symbol_names.h"
#include "app/view/folded_time.h"
#include "app/view/time_line.h"
#include "app/view/trace_history.h"
#include "core/base/result.h"
#include "core/base/strong_id.h"
#include "core/base/thread_pool.h"
#include "core/base/time.h"
#include "core/io/source.h"
#include "core/layout/lanes.h"
#include "core/query/element.h"
#include "core/store/trace.h"

namespace weft::app {

// A request to panels to scroll to a lane.
struct Reveal {
  uint64_t serial = 0;  // grows with each request
  LaneId lane = LaneId::none();
  bool is_lane_alone = false;  // to the top, without moving in time
  uint32_t gesture = 0;        // of the step of which scrolling is a part
};

class OpenTrace {
 public:
  // For an import that may still be running.
  explicit OpenTrace(std::unique_ptr<Opening> opening);
  // For a trace that is already available.
  OpenTrace(std::filesystem::path path, store::TracePtr trace);

  // Unique among all traces opened in this process.
  uint64_t id() const { return id_; }
  const std::filesystem::path& path() const { return path_; }
  // The prefix of the names of files kept beside the trace (markers, classes).
  std::filesystem::path beside() const;
  // The name to show: that of the file.
  std::string name() const { return path_ == "-" ? "standard input" : path_.filename().string(); }
  const std::filesystem::path& known_as() const { return known_as_; }  // absolute_path() of it
  Opening* opening() const { return opening_.get(); }
  TypeChoice type() const { return opening_ ? opening_->type() : TypeChoice(); }  // as requested
  // Whether the file is another one than that which was read.
  bool has_file_changed() const;
  // Whether it has changed since the last call or, before that, since it was opened.
  bool take_file_change();
  // Null until something of it has been read.
  const store::TracePtr& trace() const { return trace_; }
  // The range of the whole trace: half-open, so one tick longer than to the last end, since there
  // may be an instant. [0, 1) while there is no trace yet.
  TimeRange range() const;
  TimeBase time_base() const;
  std::string format() const;  // id of its type; empty: not known yet
  OnLine on_line() const { return {time_base(), view().offset, view().rate}; }
  // How much later the trace begins on the line than by its own clock.
  Duration shift() const { return shift_of(range().begin, on_line()); }
  // How far views may reach: the range of all traces on its time line, in its own ticks, or its own
  // range if it shares none. Set by the session.
  TimeRange reach() const { return reach_.value_or(range()); }
  bool shares_line() const { return reach_.has_value(); }
  bool is_coupled() const { return shares_line() && !history_.views().is_apart; }
  void set_reach(std::optional<TimeRange> reach, double least_ticks);

  // How its time is cut at present, as requested by Session::cut_from() and found by workers; if it
  // is coupled, the same as for the other traces on the line.
  const FoldedTime& folded_time() const { return cut_time().folded; }
  // Identifies the time that is shown: changes with another trace, and with other cuts.
  uint64_t time_id() const { return cut_time().id; }
  void set_cuts(std::shared_ptr<const TimeCuts> cuts);
  // nullopt: nothing is cut.
  const std::optional<CutRule>& cut_rule() const { return history_.cut_rule(); }
  // The shortest stretch that is cut out.
  std::optional<Duration> cut_from() const {
    return cut_rule() ? std::optional(cut_rule()->least) : std::nullopt;
  }
  // An expression: stretches in which nothing passes it are cut out. Empty: those without any
  // event. As Session::cut_where() has it of the linked view; set before each frame.
  std::string cut_where;
  std::string cut_problem;  // why the expression cannot be applied; empty: it can
  // Why the filter of the linked view cannot be applied: everything is shown. Empty: it can. Set by
  // the workbench in each frame.
  std::string filter_problem;
  static constexpr double kLeastCut = 0.02;  // share of the window, if no length is given
  // The share of the whole trace that would be cut out; 0 also if that is unknown.
  double empty_share = 0;
  // As the last refresh() saw it: once it is not, all that was read is shown.
  bool is_loading() const { return is_being_read_ || names_.is_pending(); }
  bool has_failed() const { return !error_.empty(); }
  // What reading its data has met: what lies there is not shown. Empty: nothing so far.
  const std::string& damage() const { return damage_; }
  // Whether it has met something of which damage() does not tell yet. At most one call of the
  // system.
  bool has_new_damage() const {
    return damage_.empty() && trace_ && trace_->is_complete() && !trace_->health();
  }
  Message take_damage();  // tells of it, once
  // Whether the file exists and its type is known.
  bool is_opened() const { return is_opened_; }
  bool take_opened();  // true only once
  const std::string& error() const { return error_; }

  // Where names and structs come from. Empty: numbers are shown.
  void set_symbols(std::vector<std::filesystem::path> paths, std::function<void()> wake);
  const SymbolNames& names() const { return names_; }

  // Takes the newest snapshot, and the element that a step has led to; until the user moves the
  // view, it follows the growing trace. Returns what to tell the user, one thing after the other;
  // an empty text: nothing more.
  Message refresh();

  // The view, the lanes and the cuts, with the steps that led there; changed through it where no
  // limits of this trace matter.
  TraceHistory& history() { return history_; }
  const TraceHistory& history() const { return history_; }
  const View& view() const { return history_.view(); }
  const LaneViewPtr& lanes() const { return history_.lanes(); }
  // Moves the view, as one step of undo with other changes of the gesture.
  void navigate(const View& view, uint32_t gesture) {
    history_.navigate(view, gesture, new_step());
  }
  // The window, limited to where it may be.
  TimeWindow clamped(const TimeWindow& window) const {
    return window.clamped(reach(), least_ticks_);
  }
  // Zooms a window of folded time, as far as the limits allow.
  TimeWindow zoomed(const TimeWindow& folded, double factor, double at_fraction) const;
  // The window that shows the whole trace: TimeWindow::all_of() of its time without the cuts.
  TimeWindow whole() const;
  bool shows_all() const { return view().window.looks_like(whole()); }
  void fit(uint32_t gesture);
  void follow_end(uint32_t gesture);  // shows the end at the same zoom
  // Moves a view that follows its growing trace (ViewHistory::follow).
  void follow_growth();
  // Whether it is being received through a pipe and may have no end.
  bool is_live() const { return opening_ && !opening_->is_done() && opening_->is_live(); }
  // Steps of undo like navigate(), but a view that follows its trace keeps following it.
  void set_filter(const ViewFilter& filter, uint32_t gesture);
  void set_open_runs(std::vector<TimeRange> runs);

  // The selected element: the one clicked or stepped to last.
  const std::optional<query::ElementRef>& element() const { return element_; }
  void select_element(std::optional<query::ElementRef> element);
  // Moves the view in time so that the element is visible, and asks panels to scroll to its lane.
  void reveal_element(uint32_t gesture);
  // The same for a range and a lane; LaneId::none(): no particular lane. Gesture 0: one of its own.
  void reveal(LaneId lane, TimeRange range, uint32_t gesture);
  // Asks panels to scroll a lane to the top, without moving in time.
  void reveal_lane(LaneId lane, uint32_t gesture);
  const Reveal& last_reveal() const { return reveal_; }
  // Goes to the place of a loss, once a worker has found its lane's place (wakes). If the lane is
  // hidden, `said` is shown again with an offer to show it.
  void show_loss(const trace::LossPlace& place, std::string said, uint32_t gesture,
                 std::function<void()> wake);
  const std::optional<trace::LossPlace>& shown_loss() const { return shown_loss_; }
  // Selects and shows the element to which the step leads, once a worker has found it (wakes).
  void step_element(ElementStep step, std::function<void()> wake);
  // The same for the nearest event that passes the view's filter: starting at the selected element
  // or at the window's edge, and going round the trace's end.
  void find(query::Direction direction, ThreadPool& pool, std::function<void()> wake);
  // The same for the longest event in the range that passes an expression.
  void find_longest(std::string text, TimeRange range, ThreadPool& pool,
                    std::function<void()> wake);
  const ElementFinder& finder() const { return finder_; }

  TimeDisplay time_display;  // the session's, for whoever has only the trace
  Markers markers;
  // Loads the markers kept in that folder or beside the trace; does so only once.
  Status load_markers(const std::filesystem::path& folder);
  // Writes the markers if they have changed.
  Status save_markers();
  Status keep_markers_beside();  // from now on, beside the trace

  // The classes of messages from a file beside the trace; null: the user's classes apply.
  MessageClassesPtr message_classes;
  Status load_message_classes();  // once

  const layout::CollapsedLanes& collapsed() const { return lanes()->collapsed; }
  const layout::LaneArrangement& arrangement() const { return lanes()->arrangement; }
  // A step of undo, like navigate().
  void show_lanes(LaneView lanes, uint32_t gesture) {
    history_.show_lanes(std::move(lanes), gesture);
  }
  // The rows in which something passes the filter, for LaneArrangement::hides_empty; null: all. Not
  // a step of undo.
  void set_passing_rows(const layout::RowSet& rows);
  std::optional<TimeRange> selection;
  std::vector<LaneId> selected_lanes;             // including the lanes below; none: all
  std::array<std::optional<View>, 10> bookmarks;  // views kept by number
  // The options of panels that belong to what the trace contains (is_of_trace, panel_options.h), by
  // id of panel: {"events": {"filters": {"lane": "net"}}}.
  Json panel_options = Json::object();

 private:
  void show_first();
  void refresh_trace();
  TimeWindow window_at_end() const;
  Message take_shortfall();
  Message take_hit();
  // Selects and shows what a question has led to. Returns what to tell the user.
  Message land(Landing landing);
  // Unfolds the lanes above the lane. Returns what to offer if the lane is hidden nevertheless.
  std::optional<Offer> unfold(LaneId lane, const layout::LanePlace& place, uint32_t gesture);

  uint64_t id_;
  std::filesystem::path path_;
  std::filesystem::path known_as_;
  // When the file had last changed as it was opened, and at the last take_file_change(), if known.
  std::optional<Time> file_opened_, file_taken_;
  std::unique_ptr<Opening> opening_;
  store::TracePtr plain_;  // as it was read
  SymbolNames names_;
  bool has_told_shortfall_ = false;  // whether its shortfall was reported
  store::TracePtr trace_;            // with names, if there are any
  std::string error_;
  std::string damage_;
  bool is_opened_ = false;
  bool is_being_read_ = false;  // as far as it is shown
  bool has_taken_hit_ = false;  // whether the trigger's hit was taken
  TraceHistory history_;
  std::optional<TimeRange> reach_;
  struct CutTime {
    FoldedTime folded;
    uint64_t id;
  };
  const CutTime& cut_time() const { return is_coupled() ? line_time_ : own_time_; }
  CutTime own_time_ = {{}, id_};
  CutTime line_time_ = {{}, id_};  // the time shared on the line
  double least_ticks_ = TimeWindow::kMinTicks;

  std::optional<MarkerFile> marker_file_;
  bool has_loaded_classes_ = false;
  std::optional<query::ElementRef> element_;
  Reveal reveal_;
  std::optional<trace::LossPlace> shown_loss_;
  ElementFinder finder_;
};

}  // namespace weft::app
