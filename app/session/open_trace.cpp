#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "app/opening/import_cache.h"
#include "app/session/open_trace.h"
#include "app/session/recent.h"
#include "capture/host/ssh_address.h"
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
      file_opened_(io::last_change(io::file_on(path_))),
      file_taken_(file_opened_),
      opening_(std::move(opening)) {
  (void)refresh();
}

OpenTrace::OpenTrace(std::filesystem::path path, store::TracePtr trace)
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
  history_.place(part ? TimeWindow::from_range(*part) : whole());
  history_.follow(part ? Follow::kNothing : Follow::kWhole);
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

bool OpenTrace::has_file_changed() const {
  const auto now = io::last_change(io::file_on(path_));
  return now && now != file_opened_;
}

bool OpenTrace::take_file_change() {
  const auto now = io::last_change(io::file_on(path_));
  return now && now != std::exchange(file_taken_, now);
}

bool OpenTrace::take_opened() { return !is_opened_ && (is_opened_ = trace_ || !format().empty()); }

Message OpenTrace::refresh() {
  refresh_trace();
  Message news = take_shortfall();
  if (news.text.empty()) news = names_.take_news();
  if (news.text.empty()) news = take_hit();
  if (!news.text.empty()) return news;
  auto landing = finder_.take();
  return landing ? land(std::move(*landing)) : Message();
}

Message OpenTrace::take_damage() {
  if (!has_new_damage()) return {};
  damage_ = health_of(*trace_).error().message;
  return {.text = fmt::format("{}: {}. What cannot be read is not shown", name(), damage_),
          .is_error = true,
          .offer = Offer{"Data quality", "panel.open", {{"panel", "quality"}}}};
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

Message OpenTrace::land(Landing landing) {
  if (landing.lane.is_none()) return {std::move(landing.said)};
  if (landing.element) element_ = landing.element;
  if (landing.gesture == 0) landing.gesture = new_gesture();  // unfolding is a part of the step
  std::optional<Offer> offer = unfold(landing.lane, landing.place, landing.gesture);
  reveal(landing.lane, landing.range, landing.gesture);
  if (offer) return {std::move(landing.hidden), false, std::move(offer)};
  return {std::move(landing.said)};
}

std::optional<Offer> OpenTrace::unfold(LaneId lane, const layout::LanePlace& place,
                                       uint32_t gesture) {
  LaneView shown = *lanes();
  size_t unfolded = 0;
  for (const LaneId at : place.path) unfolded += shown.collapsed.erase(at);
  if (unfolded > 0) show_lanes(std::move(shown), gesture);
  if (place.is_shown) return {};
  return Offer{"Show it", "lane.reveal", {{"lane", lane.value()}}};
}

Message OpenTrace::take_shortfall() {
  if (has_told_shortfall_ || !opening_ || !opening_->is_done()) return {};
  const std::string shortfall = opening_->shortfall();
  if (shortfall.empty()) return {};
  has_told_shortfall_ = true;
  return {.text = fmt::format("{}: {}. What came before that is shown", name(), shortfall),
          .is_error = true};
}

void OpenTrace::refresh_trace() {
  // Asked first: a snapshot published after this answer is only missed until the next frame.
  is_being_read_ = opening_ && !opening_->is_done();
  if (opening_ && !is_being_read_ && error_.empty()) {
    if (const Status status = opening_->status(); !status) error_ = status.error().message;
  }
  if (opening_) plain_ = opening_->trace();
  // While names are not there, what was shown stays.
  store::TracePtr newest = names_.of(plain_);
  if (!newest) newest = trace_ ? trace_ : plain_;
  if (newest == trace_) return;
  const bool is_first = !std::exchange(trace_, std::move(newest));
  if (is_first && history_.views().follow == Follow::kWhole) show_first();
  follow_growth();
}

void OpenTrace::set_symbols(std::vector<std::filesystem::path> paths, std::function<void()> wake) {
  names_.set_paths(std::move(paths), std::move(wake));
  refresh_trace();
}

void OpenTrace::set_filter(const ViewFilter& filter, uint32_t gesture) {
  View changed = view();
  changed.filter = filter;
  history_.change_in_place(changed, gesture);
}

void OpenTrace::set_open_runs(std::vector<TimeRange> runs) {
  View changed = view();
  changed.open_runs = std::move(runs);
  history_.change_in_place(changed, 0);
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
  const TimeRange shown = view().window.range();
  const bool is_all_cut = time.folded.fold(shown.begin) == time.folded.fold(shown.end);
  if (was_whole || is_all_cut) history_.place(whole());
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
  View moved = view();
  moved.window = whole();
  navigate(moved, gesture);
  history_.follow(Follow::kWhole);
}

void OpenTrace::follow_end(uint32_t gesture) {
  View moved = view();
  moved.window = window_at_end();
  navigate(moved, gesture);
  history_.follow(Follow::kEnd);
}

TimeWindow OpenTrace::window_at_end() const {
  const FoldedTime& folds = folded_time();
  const TimeWindow window = folds.fold(view().window);
  const double beyond = window.fraction_from_time(folds.fold(reach().end)) - 1;
  return folds.unfold(window.panned(beyond * window.length));
}

void OpenTrace::follow_growth() {
  if (history_.views().follow == Follow::kWhole)
    history_.place(whole());
  else if (history_.views().follow == Follow::kEnd)
    history_.place(window_at_end());
}

void OpenTrace::set_passing_rows(const layout::RowSet& rows) {
  const layout::RowSet& now = arrangement().passing;
  if (now == rows || (now && rows && *now == *rows)) return;
  LaneView shown = *lanes();
  shown.arrangement.passing = rows;
  history_.restore_lanes(std::move(shown));
}

void OpenTrace::select_element(std::optional<query::ElementRef> element) {
  element_ = element;
  finder_.give_up();
  finder_.forget_hit();
}

void OpenTrace::reveal_element(uint32_t gesture) {
  if (element_) reveal(element_->lane, extent_of(*element_), gesture);
}

void OpenTrace::reveal(LaneId lane, TimeRange range, uint32_t gesture) {
  if (gesture == 0) gesture = new_gesture();
  reveal_lane(lane, gesture);
  reveal_.is_lane_alone = false;
  const TimeRange shown = view().window.range();
  const bool is_all_seen = shown.begin <= this->range().begin && shown.end >= this->range().end;
  if (is_all_seen) return;
  View moved = view();
  moved.window = clamped(moved.window.revealing(range, reach()));
  navigate(moved, gesture);
}

void OpenTrace::reveal_lane(LaneId lane, uint32_t gesture) {
  reveal_ = {reveal_.serial + 1, lane, true, gesture};
}

void OpenTrace::show_loss(const trace::LossPlace& place, std::string said, uint32_t gesture,
                          std::function<void()> wake) {
  shown_loss_ = place;
  finder_.give_up();
  const Time begin = place.time.value_or(range().begin);
  const TimeRange lost = {begin, begin + place.duration};
  if (place.lane.is_none()) return reveal(place.lane, lost, gesture);
  Landing landing{.lane = place.lane, .range = lost, .gesture = gesture};
  landing.hidden = std::move(said) + " (hidden)";
  finder_.locate(trace_, lanes(), std::move(landing), std::move(wake));
}

void OpenTrace::step_element(ElementStep step, std::function<void()> wake) {
  if (!trace_ || (!element_ && step != ElementStep::kFirst)) return;
  finder_.step({.trace = trace_,
                .from = element_.value_or(query::ElementRef{}),
                .step = step,
                .lanes = lanes(),
                .window = view().window.range()},
               std::move(wake));
}

void OpenTrace::find(query::Direction direction, ThreadPool& pool, std::function<void()> wake) {
  if (!trace_) return;
  const TimeRange window = view().window.range();
  finder_.find({.trace = trace_,
                .text = view().filter.text,
                .direction = direction,
                .element = element_,
                .time = direction == query::Direction::kNext ? window.begin : window.end,
                .lanes = lanes()},
               pool, std::move(wake));
}

void OpenTrace::find_longest(std::string text, TimeRange range, ThreadPool& pool,
                             std::function<void()> wake) {
  if (!trace_) return;
  finder_.find({.trace = trace_,
                .text = std::move(text),
                .element = {},
                .time = range.begin,
                .longest_in = range,
                .lanes = lanes()},
               pool, std::move(wake));
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
