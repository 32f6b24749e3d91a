#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "app/session/open_trace.h"
#include "app/session/recent.h"
#include "capture/host/ssh_address.h"
#include "core/base/dispose.h"
#include "core/query/extract.h"

namespace weft::app {
namespace {

uint64_t next_id() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}

}  // namespace

OpenTrace::OpenTrace(std::unique_ptr<Opening> opening)
    : id_(next_id()),
      path_(opening->path()),
      known_as_(absolute_path(path_)),
      file_changed_(io::last_change(io::file_on(path_))),
      opening_(std::move(opening)) {
  (void)refresh();
}

OpenTrace::OpenTrace(std::filesystem::path path, std::shared_ptr<const store::Trace> trace)
    : id_(next_id()),
      path_(std::move(path)),
      known_as_(absolute_path(path_)),
      plain_(trace),
      trace_(std::move(trace)),
      is_opened_(true) {
  show_first();
}

// Beside what lies on another machine no file can be: in the folder that the program was started
// in.
std::filesystem::path OpenTrace::beside() const {
  return capture::is_ssh_address(path_.native()) ? path_.filename() : io::path_beside(path_);
}

// A part of a trace opens as the part that was asked for, though links may reach out of it.
void OpenTrace::show_first() {
  const std::optional<TimeRange> part = query::range_of_part(*trace_);
  history_.view.window = part ? TimeWindow::from_range(*part) : whole();
  history_.follow = part ? Follow::kNothing : Follow::kWhole;
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

bool OpenTrace::take_file_change() {
  const auto now = io::last_change(io::file_on(path_));
  return now && now != std::exchange(file_changed_, now);
}

bool OpenTrace::take_opened() { return !is_opened_ && (is_opened_ = trace_ || !format().empty()); }

Message OpenTrace::refresh() {
  Message news = refresh_trace();
  if (news.text.empty()) news = take_hit();
  if (news.text.empty()) news = take_stepped();
  if (news.text.empty()) news = take_found();
  return news.text.empty() ? take_loss() : news;
}

// The event that ends the reading, once it is shown: marked and selected, but the view stays.
Message OpenTrace::take_hit() {
  if (has_taken_hit_ || !opening_ || !trace_) return {};
  const auto hit = opening_->hit();
  const trace::Dictionary& dictionary = trace_->dictionary();
  const bool is_shown = hit && hit->element.lane.value() < dictionary.lanes.size() &&
                        hit->element.type.value() < dictionary.types.size() &&
                        trace_->range().end >= hit->time;
  if (!is_shown) return {};
  has_taken_hit_ = true;
  select_element(hit->element);
  Marker marker;
  marker.range = {hit->time, hit->time};
  marker.name = hit->trigger;
  marker.element = hit->element;
  const auto id = markers.add(std::move(marker));
  Message news{"trigger: " + in_words(*hit, *trace_)};
  if (id) news.offer = Offer{"Show it", "marker.show", {{"id", *id}}};
  return news;
}

Message OpenTrace::take_stepped() {
  const auto done = step_.take();
  if (!done) return {};
  if (!done->answer->element) return {missing_step(done->key.step)};
  element_ = done->answer->element->ref;
  hit_.reset();
  return show_found("this", done->answer->place);
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
  const auto done = find_.take();
  if (!done) return {};
  const FindAnswer& answer = *done->answer;
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
  Message news;
  // Asked first: a snapshot published after this answer is only missed until the next frame.
  if (opening_ && opening_->is_done() && error_.empty()) {
    if (const Status status = opening_->status(); !status) error_ = status.error().message;
    const std::string shortfall = opening_->shortfall();
    if (!shortfall.empty() && !std::exchange(has_told_shortfall_, true))
      news = {.text = fmt::format("{}: {}. What came before that is shown", name(), shortfall),
              .is_error = true};
  }
  if (opening_) plain_ = opening_->trace();
  std::shared_ptr<const store::Trace> newest = take_named(news);
  if (newest == trace_) return news;
  const bool is_first = !std::exchange(trace_, std::move(newest));
  if (is_first && history_.follow == Follow::kWhole) show_first();
  follow_growth();
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
  if (names_) dispose_of(std::move(names_));
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
  drop_redo();
  history_.steps.leave(history_.view, gesture, step);
  history_.follow = Follow::kNothing;
  history_.view = view;
}

void OpenTrace::share_step(uint32_t gesture, uint64_t step) {
  if (undo_step() == step) return;
  drop_redo();
  history_.steps.leave(history_.view, gesture, step);
}

void OpenTrace::set_filter(const ViewFilter& filter, uint32_t gesture) {
  View changed = view();
  changed.filter = filter;
  change_in_place(changed, gesture);
}

void OpenTrace::set_open_runs(std::vector<TimeRange> runs) {
  View changed = view();
  changed.open_runs = std::move(runs);
  change_in_place(changed, 0);
}

void OpenTrace::change_in_place(const View& changed, uint32_t gesture) {
  const Follow followed = history_.follow;
  navigate(changed, gesture);
  history_.follow = followed;
}

void OpenTrace::set_reach(std::optional<TimeRange> reach, double least_ticks) {
  reach_ = reach;
  least_ticks_ = least_ticks;
}

// A view of the whole trace stays one; a view in which nothing is left shows all that remains.
void OpenTrace::set_cuts(std::shared_ptr<const TimeCuts> cuts) {
  CutTime& time = is_coupled() ? line_time_ : own_time_;
  if (cuts == time.folded.cuts()) return;
  const bool was_whole = shows_all();
  time = {FoldedTime(std::move(cuts)), next_id()};
  const TimeRange shown = history_.view.window.range();
  const bool is_all_cut = time.folded.fold(shown.begin) == time.folded.fold(shown.end);
  if (was_whole || is_all_cut) history_.view.window = whole();
}

TimeWindow OpenTrace::whole() const {
  const FoldedTime& folds = folded_time();
  return folds.unfold(TimeWindow::all_of({folds.fold(reach().begin), folds.fold(reach().end)}));
}

TimeWindow OpenTrace::zoomed(const TimeWindow& folded, double factor, double at_fraction) const {
  const TimeRange all = {folded_time().fold(reach().begin), folded_time().fold(reach().end)};
  return folded.zoomed_within(all, least_ticks_, factor, at_fraction);
}

void OpenTrace::fit(uint32_t gesture) {
  View view = history_.view;
  view.window = whole();
  navigate(view, gesture);
  history_.follow = Follow::kWhole;
}

void OpenTrace::follow_end(uint32_t gesture) {
  View view = history_.view;
  view.window = window_at_end();
  navigate(view, gesture);
  history_.follow = Follow::kEnd;
}

TimeWindow OpenTrace::window_at_end() const {
  const FoldedTime& folds = folded_time();
  const TimeWindow window = folds.fold(history_.view.window);
  const double beyond = window.fraction_from_time(folds.fold(reach().end)) - 1;
  return folds.unfold(window.panned(beyond * window.length));
}

void OpenTrace::follow_growth() {
  if (history_.follow == Follow::kWhole)
    history_.view.window = whole();
  else if (history_.follow == Follow::kEnd)
    history_.view.window = window_at_end();
}

void OpenTrace::show_lanes(LaneView lanes, uint32_t gesture) {
  drop_redo();
  lane_steps_.leave(lanes_, gesture, new_step());
  restore_lanes(std::move(lanes));
}

void OpenTrace::restore_lanes(LaneView lanes) {
  lanes_ = std::make_shared<const LaneView>(std::move(lanes));
}

void OpenTrace::set_passing_rows(const layout::RowSet& rows) {
  const layout::RowSet& now = lanes_->arrangement.passing;
  if (now == rows || (now && rows && *now == *rows)) return;
  LaneView lanes = *lanes_;
  lanes.arrangement.passing = rows;
  restore_lanes(std::move(lanes));
}

void OpenTrace::cut(std::optional<Duration> least, uint64_t step) {
  if (least == cut_from_) return;
  drop_redo();
  cut_steps_.leave(std::exchange(cut_from_, least), 0, step);
}

void OpenTrace::drop_redo() {
  history_.steps.drop_redo();
  lane_steps_.drop_redo();
  cut_steps_.drop_redo();
}

std::optional<uint64_t> OpenTrace::undo_step() const {
  return std::max(
      {history_.steps.undo_number(), lane_steps_.undo_number(), cut_steps_.undo_number()});
}

std::optional<uint64_t> OpenTrace::redo_step() const {
  return first_of(first_of(history_.steps.redo_number(), lane_steps_.redo_number()),
                  cut_steps_.redo_number());
}

void OpenTrace::undo() {
  if (lane_steps_.undo_number() == undo_step()) return lane_steps_.undo(lanes_);
  if (cut_steps_.undo_number() == undo_step()) return cut_steps_.undo(cut_from_);
  history_.steps.undo(history_.view);
  history_.follow = Follow::kNothing;
}

void OpenTrace::redo() {
  if (lane_steps_.redo_number() == redo_step()) return lane_steps_.redo(lanes_);
  if (cut_steps_.redo_number() == redo_step()) return cut_steps_.redo(cut_from_);
  history_.steps.redo(history_.view);
  history_.follow = Follow::kNothing;
}

void OpenTrace::select_element(std::optional<query::ElementRef> element) {
  element_ = element;
  step_.give_up();
  find_.give_up();
  hit_.reset();
}

void OpenTrace::reveal_element(uint32_t gesture) {
  if (!element_) return;
  const bool is_state = element_->kind == store::RowKind::kState;
  const Duration length = is_state ? element_->duration : Duration{};
  reveal(element_->lane, {element_->begin, element_->begin + length}, gesture);
}

void OpenTrace::reveal(LaneId lane, TimeRange range, uint32_t gesture) {
  reveal_lane(lane);
  reveals_lane_alone_ = false;
  const TimeRange shown = view().window.range();
  const bool is_all_seen = shown.begin <= this->range().begin && shown.end >= this->range().end;
  if (is_all_seen) return;
  View moved = view();
  moved.window = clamped(moved.window.revealing(range, reach()));
  navigate(moved, gesture);
}

void OpenTrace::reveal_lane(LaneId lane) {
  ++reveals_;
  revealed_lane_ = lane;
  reveals_lane_alone_ = true;
}

TimeRange OpenTrace::range_of(const trace::LossPlace& place) const {
  const Time begin = place.time.value_or(range().begin);
  return {begin, begin + place.duration};
}

void OpenTrace::show_loss(const trace::LossPlace& place, std::string said, uint32_t gesture,
                          std::function<void()> wake) {
  shown_loss_ = place;
  loss_.give_up();
  if (place.lane.is_none()) return reveal(place.lane, range_of(place), gesture);
  loss_said_ = std::move(said);
  loss_gesture_ = gesture;
  loss_.send({trace_, lanes_, place.lane}, place_of_lane, std::move(wake));
}

Message OpenTrace::take_loss() {
  const auto done = loss_.take();
  if (!done) return {};
  std::optional<Offer> offer = unfold(done->key.lane, *done->answer);
  reveal(done->key.lane, range_of(*shown_loss_), loss_gesture_);
  if (!offer) return {};
  return {loss_said_ + " (hidden)", false, std::move(offer)};
}

void OpenTrace::step_element(ElementStep step, std::function<void()> wake) {
  static uint64_t last_serial = 0;  // commands are applied on one thread
  if (!element_ || !trace_) return;
  const auto work = [](const ElementStepKey& key, const std::stop_token& stop) {
    return std::optional(answer_step(key, stop));
  };
  step_.send({trace_, *element_, step, ++last_serial, lanes_}, work, std::move(wake));
}

void OpenTrace::find(query::Direction direction, ThreadPool& pool, std::function<void()> wake) {
  static uint64_t last_serial = 0;  // commands are applied on one thread
  if (!trace_) return;
  const auto work = [&pool](const FindKey& key, const std::stop_token& stop) {
    return find_hit(key, pool, stop);
  };
  const TimeRange window = view().window.range();
  find_.send({.trace = trace_,
              .text = view().filter.text,
              .direction = direction,
              .hit = hit_,
              .element = element_,
              .time = direction == query::Direction::kNext ? window.begin : window.end,
              .serial = ++last_serial,
              .progress = std::make_shared<query::SearchProgress>(),
              .lanes = lanes_},
             work, std::move(wake));
}

Status OpenTrace::load_markers(const std::filesystem::path& folder) {
  if (marker_file_) return {};
  // Standard input is another trace each time.
  marker_file_.emplace(path_, path_ == "-" ? std::filesystem::path() : folder);
  WEFT_TRY_ASSIGN(auto kept, marker_file_->load());
  if (kept) markers = std::move(*kept);
  return {};
}

Status OpenTrace::load_message_classes() {
  if (std::exchange(has_loaded_classes_, true)) return {};
  Complaints complaints;
  WEFT_TRY_ASSIGN(message_classes, app::load_message_classes(path_, complaints));
  if (complaints.empty()) return {};
  return fail("the classes of messages beside the trace: " + in_words(complaints));
}

Status OpenTrace::save_markers() { return marker_file_ ? marker_file_->save(markers) : Status(); }

Status OpenTrace::keep_markers_beside() {
  if (!marker_file_) marker_file_.emplace(path_, std::filesystem::path());
  return marker_file_->move_beside_trace(markers);
}

}  // namespace weft::app
