#include "app/session.h"

#include <atomic>
#include <utility>

namespace weft::app {
namespace {

uint64_t next_id() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}

}  // namespace

OpenTrace::OpenTrace(std::unique_ptr<Opening> opening)
    : id_(next_id()), path_(opening->path()), opening_(std::move(opening)) {
  (void)refresh();
}

OpenTrace::OpenTrace(std::filesystem::path path, std::shared_ptr<const store::Trace> trace)
    : id_(next_id()), path_(std::move(path)), trace_(std::move(trace)) {
  history_.view.window = TimeWindow::from_range(range());
}

TimeRange OpenTrace::range() const {
  const TimeRange range = trace_ ? trace_->range() : TimeRange{};
  return {range.begin, range.end + Duration{1}};
}

TimeBase OpenTrace::time_base() const {
  return trace_ ? trace_->dictionary().time_base : TimeBase::kNanoseconds;
}

std::string OpenTrace::refresh() {
  refresh_trace();
  if (!step_) return {};
  const auto found = stepper_->find(*step_);
  if (found.is_stale) return {};
  const ElementStep step = std::exchange(step_, std::nullopt)->step;
  if (!*found.value) return missing_step(step);
  element_ = (*found.value)->ref;
  reveal_element(0);
  return {};
}

void OpenTrace::refresh_trace() {
  if (!opening_) return;
  // Asked first: a snapshot published after this answer is only missed until the next frame.
  if (opening_->is_done() && error_.empty()) {
    if (const Status status = opening_->status(); !status) error_ = status.error().message;
  }
  std::shared_ptr<const store::Trace> newest = opening_->trace();
  if (newest == trace_) return;
  trace_ = std::move(newest);
  if (history_.follows) history_.view.window = TimeWindow::from_range(range());
}

void OpenTrace::navigate(const View& view, uint32_t gesture) {
  if (view == history_.view) return;
  if (gesture == 0 || gesture != history_.last_gesture) {
    if (history_.undo.size() == kUndoSteps) history_.undo.erase(history_.undo.begin());
    history_.undo.push_back(history_.view);
  }
  history_.redo.clear();
  history_.last_gesture = gesture;
  history_.follows = false;
  history_.view = view;
}

void OpenTrace::fit(uint32_t gesture) {
  View view = history_.view;
  view.window = TimeWindow::from_range(range());
  navigate(view, gesture);
  history_.follows = true;
}

bool OpenTrace::undo() {
  if (history_.undo.empty()) return false;
  history_.redo.push_back(std::exchange(history_.view, history_.undo.back()));
  history_.undo.pop_back();
  history_.last_gesture = 0;
  history_.follows = false;
  return true;
}

bool OpenTrace::redo() {
  if (history_.redo.empty()) return false;
  history_.undo.push_back(std::exchange(history_.view, history_.redo.back()));
  history_.redo.pop_back();
  history_.last_gesture = 0;
  history_.follows = false;
  return true;
}

void OpenTrace::select_element(std::optional<query::ElementRef> element) {
  element_ = element;
  step_.reset();
}

void OpenTrace::reveal_element(uint32_t gesture) {
  if (!element_) return;
  const bool is_state = element_->kind == store::RowKind::kState;
  View moved = view();
  moved.window = moved.window.revealing(
      {element_->begin, element_->begin + (is_state ? element_->duration : Duration{})});
  moved.window = moved.window.clamped(range());
  navigate(moved, gesture);
  ++reveals_;
}

void OpenTrace::step_element(ElementStep step, std::function<void()> wake) {
  static uint64_t last_serial = 0;  // commands are applied on one thread
  if (!element_ || !trace_) return;
  if (!stepper_) {
    stepper_ = std::make_unique<render::Latest<ElementStepKey, std::optional<query::Element>>>(
        [](const ElementStepKey& key, const std::stop_token& stop) {
          return std::optional(take_step(key, stop));
        },
        std::move(wake));
  }
  step_ = {trace_, *element_, step, ++last_serial};
  (void)stepper_->find(*step_);
}

Status OpenTrace::load_markers(const std::filesystem::path& folder) {
  if (marker_file_) return {};
  marker_file_.emplace(path_, folder);
  WEFT_TRY_ASSIGN(auto kept, marker_file_->load());
  if (kept) markers = std::move(*kept);
  return {};
}

Status OpenTrace::save_markers() { return marker_file_ ? marker_file_->save(markers) : Status(); }

Status OpenTrace::keep_markers_beside() {
  if (!marker_file_) marker_file_.emplace(path_, std::filesystem::path());
  return marker_file_->move_beside_trace(markers);
}

void Session::save_markers() {
  for (const auto& trace : traces) {
    if (Status status = trace->save_markers(); !status) {
      say(status.error().message, /*is_error=*/true);
    }
  }
}

void Session::refresh() {
  for (const auto& trace : traces) {
    trace->time_display = time_display;
    if (Status status = trace->load_markers(state_folder); !status) {
      say(status.error().message, /*is_error=*/true);
    }
    if (std::string news = trace->refresh(); !news.empty()) say(std::move(news));
  }
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
}

OpenTrace* Session::find_trace(uint64_t id) {
  for (const auto& trace : traces) {
    if (trace->id() == id) return trace.get();
  }
  return nullptr;
}

void Session::select_trace(uint64_t id) {
  for (size_t i = 0; i < traces.size(); ++i) {
    if (traces[i]->id() == id) current = i;
  }
}

void Session::say(std::string text, bool is_error) {
  message = {std::move(text), is_error, message.serial + 1};
  if (messages.size() == kMessages) messages.erase(messages.begin());
  messages.push_back(message);
}

void Session::note(const std::string& command, const Json& args, uint32_t gesture) {
  const OpenTrace* shown = trace();
  JournalEntry entry = {command, args, gesture, shown ? shown->id() : 0,
                        shown ? shown->view() : View{}};
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
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error).lexically_normal();
  std::erase(recent, absolute);
  recent.insert(recent.begin(), absolute);
  if (recent.size() > kRecent) recent.pop_back();
}

}  // namespace weft::app
