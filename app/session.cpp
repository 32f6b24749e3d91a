#include "app/session.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "render/dispose.h"

namespace weft::app {
namespace {

uint64_t next_id() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}

// The smaller one; nothing: neither is there.
std::optional<uint64_t> first_of(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  return a && b ? std::min(a, b) : std::max(a, b);
}

}  // namespace

OpenTrace::OpenTrace(std::unique_ptr<Opening> opening)
    : id_(next_id()), path_(opening->path()), opening_(std::move(opening)) {
  (void)refresh();
}

OpenTrace::OpenTrace(std::filesystem::path path, std::shared_ptr<const store::Trace> trace)
    : id_(next_id()),
      path_(std::move(path)),
      plain_(trace),
      trace_(std::move(trace)),
      is_opened_(true) {
  history_.view.window = TimeWindow::from_range(range());
}

TimeRange OpenTrace::range() const {
  const TimeRange range = trace_ ? trace_->range() : TimeRange{};
  return {range.begin, range.end + Duration{1}};
}

TimeBase OpenTrace::time_base() const {
  return trace_ ? trace_->dictionary().time_base : TimeBase::kNanoseconds;
}

std::string OpenTrace::format() const {
  if (opening_) return opening_->format();
  return trace_ ? trace_->dictionary().format : "";
}

bool OpenTrace::take_opened() { return !is_opened_ && (is_opened_ = trace_ || !format().empty()); }

Message OpenTrace::refresh() {
  Message news = refresh_trace();
  if (news.text.empty()) news = take_stepped();
  if (news.text.empty()) news = take_found();
  return news.text.empty() ? take_loss() : news;
}

Message OpenTrace::take_stepped() {
  if (!step_) return {};
  const auto found = stepper_->find(*step_);
  if (found.is_stale) return {};
  const ElementStep step = std::exchange(step_, std::nullopt)->step;
  if (!found.value->element) return {missing_step(step)};
  element_ = found.value->element->ref;
  hit_.reset();
  return show_found("this", found.value->place);
}

Message OpenTrace::show_found(std::string_view what, const layout::LanePlace& place) {
  std::optional<Offer> offer = unfold(element_->lane, place);
  reveal_element(0);
  if (!offer) return {};
  return {std::string(what) + " is on a lane that is hidden, " +
              trace_->dictionary().path_text(element_->lane),
          false, std::move(offer)};
}

Message OpenTrace::take_found() {
  if (!find_) return {};
  const auto found = finder_->find(*find_);
  if (found.is_stale) return {};
  find_.reset();
  const FindAnswer& answer = *found.value;
  if (!answer.error.empty()) return {"find: " + answer.error};
  hit_ = answer.hit;
  if (!hit_) return {"find: no event passes the filter"};
  element_ = hit_->element;
  Message hidden = show_found("find: the hit", answer.place);
  if (!hidden.text.empty()) return hidden;
  return {answer.is_wrapped ? "find: went on from the other end of the trace" : ""};
}

std::optional<Offer> OpenTrace::unfold(LaneId lane, const layout::LanePlace& place) {
  LaneView shown = *lanes_;
  size_t unfolded = 0;
  for (const LaneId at : place.path) unfolded += shown.collapsed.erase(at);
  if (unfolded > 0) show_lanes(std::move(shown), 0);
  if (place.is_shown) return {};
  return Offer{"Show it", "lane.reveal", {{"lane", lane.value()}}};
}

Message OpenTrace::refresh_trace() {
  // Asked first: a snapshot published after this answer is only missed until the next frame.
  if (opening_ && opening_->is_done() && error_.empty()) {
    if (const Status status = opening_->status(); !status) error_ = status.error().message;
  }
  if (opening_) plain_ = opening_->trace();
  Message news;
  std::shared_ptr<const store::Trace> newest = take_named(news);
  if (newest == trace_) return news;
  trace_ = std::move(newest);
  if (history_.follows) history_.view.window = TimeWindow::from_range(reach());
  return news;
}

// The trace with names, as far as they are there; while they are not, what was shown stays.
std::shared_ptr<const store::Trace> OpenTrace::take_named(Message& news) {
  if (!names_ || !plain_) return plain_;
  const auto named = names_->of(plain_);
  if (!named) return trace_ ? trace_ : plain_;
  if (std::string told = named->news(); told != names_news_) {
    names_news_ = told;
    news = {.text = std::move(told), .is_error = !named->error.empty()};
  }
  symbols_ = named->symbols;
  return named->trace;
}

void OpenTrace::set_symbols(std::vector<std::filesystem::path> paths, std::function<void()> wake) {
  // Its thread may be reading sources still.
  if (names_) render::dispose_of(std::move(names_));
  symbols_.reset();
  names_news_.clear();
  if (!paths.empty()) names_ = std::make_unique<SymbolNames>(std::move(paths), std::move(wake));
  (void)refresh_trace();
}

uint64_t OpenTrace::new_step() {
  static uint64_t last = 0;  // views move on one thread
  return ++last;
}

void OpenTrace::navigate(const View& view, uint32_t gesture, uint64_t step) {
  if (view == history_.view) return;
  history_.steps.leave(history_.view, gesture, step);
  lane_steps_.drop_redo();
  history_.follows = false;
  history_.view = view;
}

void OpenTrace::set_filter(const ViewFilter& filter, uint32_t gesture) {
  View changed = view();
  changed.filter = filter;
  const bool followed = history_.follows;
  navigate(changed, gesture);
  history_.follows = followed;
}

void OpenTrace::set_reach(std::optional<TimeRange> reach, double least_ticks) {
  reach_ = reach;
  least_ticks_ = least_ticks;
}

void OpenTrace::set_cuts(std::shared_ptr<const TimeCuts> cuts) {
  CutTime& time = is_coupled() ? line_time_ : own_time_;
  if (cuts == time.folded.cuts()) return;
  time = {FoldedTime(std::move(cuts)), next_id()};
}

void OpenTrace::fit(uint32_t gesture) {
  View view = history_.view;
  view.window = TimeWindow::from_range(reach());
  navigate(view, gesture);
  history_.follows = true;
}

void OpenTrace::show_lanes(LaneView lanes, uint32_t gesture) {
  lane_steps_.leave(lanes_, gesture, new_step());
  history_.steps.drop_redo();
  restore_lanes(std::move(lanes));
}

void OpenTrace::restore_lanes(LaneView lanes) {
  lanes_ = std::make_shared<const LaneView>(std::move(lanes));
}

void OpenTrace::drop_redo() {
  history_.steps.drop_redo();
  lane_steps_.drop_redo();
}

std::optional<uint64_t> OpenTrace::undo_step() const {
  return std::max(history_.steps.undo_number(), lane_steps_.undo_number());
}

std::optional<uint64_t> OpenTrace::redo_step() const {
  return first_of(history_.steps.redo_number(), lane_steps_.redo_number());
}

void OpenTrace::undo() {
  if (lane_steps_.undo_number() == undo_step()) return lane_steps_.undo(lanes_);
  history_.steps.undo(history_.view);
  history_.follows = false;
}

void OpenTrace::redo() {
  if (lane_steps_.redo_number() == redo_step()) return lane_steps_.redo(lanes_);
  history_.steps.redo(history_.view);
  history_.follows = false;
}

void OpenTrace::select_element(std::optional<query::ElementRef> element) {
  element_ = element;
  step_.reset();
  find_.reset();
  hit_.reset();
}

void OpenTrace::reveal_element(uint32_t gesture) {
  if (!element_) return;
  const bool is_state = element_->kind == store::RowKind::kState;
  const Duration length = is_state ? element_->duration : Duration{};
  reveal(element_->lane, {element_->begin, element_->begin + length}, gesture);
}

void OpenTrace::reveal(LaneId lane, TimeRange range, uint32_t gesture) {
  ++reveals_;
  revealed_lane_ = lane;
  const TimeRange shown = view().window.range();
  const bool is_all_seen = shown.begin <= this->range().begin && shown.end >= this->range().end;
  if (is_all_seen) return;
  View moved = view();
  moved.window = clamped(moved.window.revealing(range));
  navigate(moved, gesture);
}

TimeRange OpenTrace::range_of(const trace::LossPlace& place) const {
  const Time begin = place.time.value_or(range().begin);
  return {begin, begin + place.duration};
}

void OpenTrace::show_loss(const trace::LossPlace& place, std::string said, uint32_t gesture,
                          std::function<void()> wake) {
  shown_loss_ = place;
  loss_.reset();
  if (place.lane.is_none()) return reveal(place.lane, range_of(place), gesture);
  if (!placer_) {
    placer_ = std::make_unique<render::Latest<LanePlaceKey, layout::LanePlace>>(place_of_lane,
                                                                                std::move(wake));
  }
  loss_ = {{trace_, lanes_, place.lane}, std::move(said), gesture};
  (void)placer_->find(loss_->lane);
}

Message OpenTrace::take_loss() {
  if (!loss_) return {};
  const auto found = placer_->find(loss_->lane);
  if (found.is_stale) return {};
  LossStep step = *std::exchange(loss_, std::nullopt);
  std::optional<Offer> offer = unfold(step.lane.lane, *found.value);
  reveal(step.lane.lane, range_of(*shown_loss_), step.gesture);
  if (!offer) return {};
  return {step.said + " (hidden)", false, std::move(offer)};
}

void OpenTrace::step_element(ElementStep step, std::function<void()> wake) {
  static uint64_t last_serial = 0;  // commands are applied on one thread
  if (!element_ || !trace_) return;
  if (!stepper_) {
    stepper_ = std::make_unique<render::Latest<ElementStepKey, StepAnswer>>(
        [](const ElementStepKey& key, const std::stop_token& stop) {
          return std::optional(answer_step(key, stop));
        },
        std::move(wake));
  }
  step_ = {trace_, *element_, step, ++last_serial, lanes_};
  (void)stepper_->find(*step_);
}

void OpenTrace::find(query::Direction direction, ThreadPool& pool, std::function<void()> wake) {
  static uint64_t last_serial = 0;  // commands are applied on one thread
  if (!trace_) return;
  if (!finder_) {
    finder_ = std::make_unique<render::Latest<FindKey, FindAnswer>>(
        [&pool](const FindKey& key, const std::stop_token& stop) {
          return find_hit(key, pool, stop);
        },
        std::move(wake));
  }
  const TimeRange window = view().window.range();
  find_ = FindKey{.trace = trace_,
                  .text = view().filter.text,
                  .direction = direction,
                  .hit = hit_,
                  .element = element_,
                  .time = direction == query::Direction::kNext ? window.begin : window.end,
                  .serial = ++last_serial,
                  .progress = std::make_shared<query::SearchProgress>(),
                  .lanes = lanes_};
  (void)finder_->find(*find_);
}

Status OpenTrace::load_markers(const std::filesystem::path& folder) {
  if (marker_file_) return {};
  marker_file_.emplace(path_, folder);
  WEFT_TRY_ASSIGN(auto kept, marker_file_->load());
  if (kept) markers = std::move(*kept);
  return {};
}

Status OpenTrace::load_message_classes() {
  if (std::exchange(has_loaded_classes_, true)) return {};
  WEFT_TRY_ASSIGN(message_classes, app::load_message_classes(path_));
  return {};
}

Status OpenTrace::save_markers() { return marker_file_ ? marker_file_->save(markers) : Status(); }

Status OpenTrace::keep_markers_beside() {
  if (!marker_file_) marker_file_.emplace(path_, std::filesystem::path());
  return marker_file_->move_beside_trace(markers);
}

std::filesystem::path absolute_path(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::absolute(path, error).lexically_normal();
}

bool Session::has_own_layout() const {
  const auto is_linked = [](const PanelInstance& panel) { return panel.is_linked(); };
  return !std::ranges::all_of(layout.panels(), is_linked) || layout.to_json() != arranged.to_json();
}

void Session::save_markers() {
  for (const auto& trace : traces) {
    if (Status status = trace->save_markers(); !status) {
      say(status.error().message, /*is_error=*/true);
    }
  }
}

void Session::take_opened() {
  std::vector<const OpenTrace*> unreadable;
  for (const auto& trace : traces) {
    if (trace->take_opened()) {
      if (trace->path() != "-") add_recent(trace->path());
      if (on_opened) on_opened(*trace);
    } else if (trace->has_failed() && !trace->is_opened()) {
      unreadable.push_back(trace.get());
    }
  }
  for (const OpenTrace* trace : unreadable) {
    say(trace->error(), /*is_error=*/true);
    close(*trace);
  }
}

void Session::close(const OpenTrace& trace) {
  const auto at = std::ranges::find(traces, &trace, &std::unique_ptr<OpenTrace>::get);
  if (at == traces.end()) return;
  release_panels(trace.id());
  const auto index = static_cast<size_t>(at - traces.begin());
  traces.erase(at);
  if (index < current || current == traces.size()) current -= std::min<size_t>(current, 1);
}

void Session::release_panels(uint64_t trace_id) {
  std::vector<std::string> theirs;
  for (const PanelInstance& panel : layout.panels()) {
    if (panel.pinned && panel.pinned->trace_id == trace_id) theirs.push_back(panel.id);
  }
  for (const std::string& id : theirs) {
    PanelInstance& panel = *layout.find(id);
    const auto kin = std::ranges::count(layout.panels(), panel.kind, &PanelInstance::kind);
    if (panel.stays_with_trace() && kin > 1) {
      (void)layout.close(id);
    } else {
      panel.pinned.reset();
    }
  }
}

void Session::refresh() {
  bool has_news = false;
  OpenTrace* moved = nullptr;  // by a step to another element
  for (const auto& trace : traces) {
    trace->time_display = time_display;
    if (Status status = trace->load_markers(state_folder); !status) {
      say(status.error().message, /*is_error=*/true);
    }
    if (Status status = trace->load_message_classes(); !status) {
      say(status.error().message, /*is_error=*/true);
    }
    const std::shared_ptr<const store::Trace> before = trace->trace();
    const View view = trace->view();
    if (Message news = trace->refresh(); !news.text.empty()) {
      say(std::move(news.text), news.is_error, std::move(news.offer));
    }
    has_news |= trace->trace() != before;
    if (trace->view() != view) moved = trace.get();
  }
  take_opened();
  for (const auto& job : jobs) {
    if (!job->is_done()) continue;
    if (Result<Job::Outcome>& outcome = job->outcome(); outcome) {
      say(std::move(outcome->message));
      if (outcome->clipboard) clipboard = std::move(outcome->clipboard);
    } else {
      say(job->title() + ": " + outcome.error().message, /*is_error=*/true);
    }
  }
  std::erase_if(jobs, [](const auto& job) { return job->is_done(); });
  if (!couples_traces) return;
  if (has_news) update_reach();
  OpenTrace* leader = has_news ? trace() : moved;
  if (!leader || !leader->trace()) return;
  if (leader->history().follows) leader->follow(TimeWindow::from_range(leader->reach()));
  follow(*leader);
}

void Session::update_reach() {
  // On the line itself, as a trace of nanoseconds without an offset would lie on it.
  const OnLine line;
  std::optional<TimeRange> all;
  double least_on_line = 0;
  for (const auto& trace : traces) {
    if (!couples_traces || !trace->trace()) continue;
    const TimeRange range = on_line(trace->range(), trace->on_line(), line);
    all = all ? TimeRange{std::min(all->begin, range.begin), std::max(all->end, range.end)} : range;
    least_on_line = std::max(least_on_line,
                             ticks_on_line(TimeWindow::kMinTicks, trace->time_base(), line.base));
  }
  for (const auto& trace : traces) {
    if (all && trace->trace()) {
      trace->set_reach(on_line(*all, line, trace->on_line()),
                       ticks_on_line(least_on_line, line.base, trace->time_base()));
    } else {
      trace->set_reach(std::nullopt, TimeWindow::kMinTicks);
    }
  }
}

std::optional<Duration> Session::cut_from(const OpenTrace& trace) const {
  if (!trace.shares_line()) return trace.cut_from;
  double least = 0;
  for (const auto& other : traces) {
    if (!other->shares_line() || !other->cut_from) continue;
    least = std::max(least, ticks_on_line(static_cast<double>(other->cut_from->ticks),
                                          other->time_base(), trace.time_base()));
  }
  if (least == 0) return std::nullopt;
  return Duration{static_cast<int64_t>(std::clamp(least, 1.0, 0x1p62))};
}

void Session::set_cut_from(OpenTrace& trace, std::optional<Duration> least) {
  for (const auto& other : traces) {
    if (trace.shares_line() && other->shares_line()) other->cut_from.reset();
  }
  trace.cut_from = least;
}

void Session::follow(const OpenTrace& leader) {
  if (!leader.is_coupled()) return;
  for (const auto& trace : traces) {
    if (trace.get() == &leader || !trace->is_coupled()) continue;
    if (trace->redo_step() < leader.undo_step()) trace->drop_redo();  // a newer step was taken
    trace->follow(on_line(leader.view().window, leader.on_line(), trace->on_line()));
  }
}

std::optional<Time> Session::hover_in(const OpenTrace& trace) const {
  if (!hover) return std::nullopt;
  if (hover->trace_id == trace.id()) return hover->time;
  for (const auto& other : traces) {
    const bool is_it = other->id() == hover->trace_id;
    if (is_it && other->is_coupled() && trace.is_coupled()) {
      return on_line(hover->time, other->on_line(), trace.on_line());
    }
  }
  return std::nullopt;
}

std::vector<OpenTrace*> Session::moved_together() {
  std::vector<OpenTrace*> together;
  for (const auto& other : traces) {
    const bool is_meant = other->is_coupled() && trace()->is_coupled();
    if (is_meant || other.get() == trace()) together.push_back(other.get());
  }
  return together;
}

bool Session::undo() {
  std::optional<uint64_t> last = row_height_steps_.undo_number();
  for (const OpenTrace* other : moved_together()) last = std::max(last, other->undo_step());
  if (!last) return false;
  if (row_height_steps_.undo_number() == last) row_height_steps_.undo(row_height_px);
  for (const auto& other : traces) {  // those that were moved by the same step
    if (other->undo_step() == last) other->undo();
  }
  return true;
}

bool Session::redo() {
  std::optional<uint64_t> first, last;
  for (const OpenTrace* other : moved_together()) {
    first = first_of(first, other->redo_step());
    last = std::max(last, other->undo_step());
  }
  if (row_height_steps_.redo_number() < last) row_height_steps_.drop_redo();  // a newer step
  first = first_of(first, row_height_steps_.redo_number());
  if (!first) return false;
  if (row_height_steps_.redo_number() == first) row_height_steps_.redo(row_height_px);
  for (const auto& other : traces) {
    if (other->redo_step() == first) other->redo();
  }
  return true;
}

// The rows at the top stay there.
void Session::set_row_height(double px, uint32_t gesture) {
  fit_rows_in.clear();
  if (px == row_height_px) return;
  const uint64_t step = OpenTrace::new_step();
  for (const auto& trace : traces) {
    View view = trace->view();
    view.scroll_px *= px / row_height_px;
    trace->drop_redo();
    trace->navigate(view, gesture, step);
  }
  row_height_steps_.leave(std::exchange(row_height_px, px), gesture, step);
}

void Session::order_table(TableOrder order) {
  static uint64_t last_serial = 0;  // commands are applied on one thread
  order.serial = ++last_serial;
  table_orders.push_back(std::move(order));
}

ReportItem* Session::find_report_item(uint64_t id) {
  const auto item = std::ranges::find(report, id, &ReportItem::id);
  return item == report.end() ? nullptr : &*item;
}

OpenTrace* Session::find_trace(uint64_t id) {
  const auto it = std::ranges::find(traces, id, [](const auto& trace) { return trace->id(); });
  return it == traces.end() ? nullptr : it->get();
}

OpenTrace* Session::find_trace(const std::filesystem::path& path) {
  const auto it = std::ranges::find(traces, path,
                                    [](const auto& trace) { return absolute_path(trace->path()); });
  return it == traces.end() ? nullptr : it->get();
}

void Session::select_trace(uint64_t id) {
  for (size_t i = 0; i < traces.size(); ++i) {
    if (traces[i]->id() == id) current = i;
  }
}

void Session::say(std::string text, bool is_error, std::optional<Offer> offer) {
  message = {std::move(text), is_error, std::move(offer), message.serial + 1};
  if (messages.size() == kMessages) messages.erase(messages.begin());
  messages.push_back(message);
}

void Session::note(const std::string& command, const Json& args, uint32_t gesture,
                   uint64_t said_before) {
  const OpenTrace* shown = trace();
  JournalEntry entry = {
      command, args, gesture, shown ? shown->id() : 0, shown ? shown->view() : View{}, said_before};
  const bool goes_on = gesture != 0 && !journal.empty() && journal.back().gesture == gesture &&
                       journal.back().command == command;
  if (goes_on) {
    journal.back() = std::move(entry);
    return;
  }
  if (journal.size() == kMostJournal) journal.erase(journal.begin());
  journal.push_back(std::move(entry));
}

void Session::add_recent(const std::filesystem::path& path) {
  const std::filesystem::path absolute = absolute_path(path);
  std::erase(recent, absolute);
  recent.insert(recent.begin(), absolute);
  if (recent.size() > kRecent) recent.pop_back();
}

void Session::add_recent_filter(const std::string& text) {
  if (text.empty()) return;
  std::erase(recent_filters, text);
  recent_filters.insert(recent_filters.begin(), text);
  if (recent_filters.size() > kRecent) recent_filters.pop_back();
}

}  // namespace weft::app
