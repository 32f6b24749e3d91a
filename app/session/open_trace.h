// One open trace: how it is read, how it is looked at, and what is selected in it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/time_display.h"
#include "app/opening/open.h"
#include "app/session/errand.h"
#include "app/session/marker_file.h"
#include "app/session/markers.h"
#include "app/session/message_classes.h"
#include "app/session/messages.h"
#include "app/session/symbol_names.h"
#include "app/view/element_step.h"
#include "app/view/find_step.h"
#include "app/view/folded_time.h"
#include "app/view/lane_place.h"
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

namespace weft::app {

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
  std::filesystem::path beside() const;
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
  // By how much its begin lies later there than its clock has it.
  Duration shift() const { return shift_of(range().begin, on_line()); }
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
  const std::optional<Duration>& cut_from() const { return cut_from_; }
  // A step, as navigate() is.
  void cut(std::optional<Duration> least, uint64_t step);
  // No step: as they were left at the last start.
  void restore_cut(std::optional<Duration> least) { cut_from_ = least; }
  static constexpr double kLeastCut = 0.02;  // of what is shown, where no length is said
  // How much of its time would be cut out of all of it; 0 also where that is not known.
  double empty_share = 0;
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
  // A step of another trace that is undone with this one's; nothing here changes by it.
  void share_step(uint32_t gesture, uint64_t step);
  // The window, brought to where it may be.
  TimeWindow clamped(const TimeWindow& window) const {
    return window.clamped(reach(), least_ticks_);
  }
  // A window of folded time, zoomed as far as it may be.
  TimeWindow zoomed(const TimeWindow& folded, double factor, double at_fraction) const;
  // What is seen of it when all is seen: TimeWindow::all_of(), of its time without the cuts.
  TimeWindow whole() const;
  bool shows_all() const { return view().window.looks_like(whole()); }
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
  // The numbers of the steps, of the view, the lanes or the cuts, that undo and redo would take;
  // nothing: none.
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
  bool is_stepping() const { return step_.asked() || find_.asked() || loss_.asked(); }
  // The same with the nearest event that the view's filter lets pass: from the selected element, or
  // from the window's edge, and round the trace's end.
  void find(query::Direction direction, ThreadPool& pool, std::function<void()> wake);
  // The last one that was found, while it is selected.
  const std::optional<FoundHit>& hit() const { return hit_; }
  // How far the one that is looked for is; null: none is.
  const query::SearchProgress* find_progress() const {
    return find_.asked() ? find_.asked()->progress.get() : nullptr;
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
  // A step, as navigate() is; views, lanes and cuts go back in the order in which they were
  // changed.
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
  Message take_hit();
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
  bool has_told_shortfall_ = false;            // of the opening
  std::shared_ptr<const store::Trace> trace_;  // with names, where there are
  std::string error_;
  bool is_opened_ = false;
  bool has_taken_hit_ = false;  // of the trigger
  ViewHistory history_;
  LaneViewPtr lanes_ = std::make_shared<const LaneView>();
  Steps<LaneViewPtr> lane_steps_;
  std::optional<Duration> cut_from_;
  Steps<std::optional<Duration>> cut_steps_;
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
  std::string loss_said_;
  uint32_t loss_gesture_ = 0;
  std::optional<FoundHit> hit_;
  Errand<LanePlaceKey, layout::LanePlace> loss_;
  Errand<ElementStepKey, StepAnswer> step_;
  Errand<FindKey, FindAnswer> find_;
};

}  // namespace weft::app
