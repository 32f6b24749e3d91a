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
  refresh();
}

OpenTrace::OpenTrace(std::filesystem::path path, std::shared_ptr<const store::Trace> trace)
    : id_(next_id()), path_(std::move(path)), trace_(std::move(trace)) {
  view_.window = TimeWindow::from_range(range());
}

TimeRange OpenTrace::range() const {
  const TimeRange range = trace_ ? trace_->range() : TimeRange{};
  return {range.begin, range.end + Duration{1}};
}

TimeBase OpenTrace::time_base() const {
  return trace_ ? trace_->dictionary().time_base : TimeBase::kNanoseconds;
}

void OpenTrace::refresh() {
  if (!opening_) return;
  // Asked first: a snapshot published after this answer is only missed until the next frame.
  if (opening_->is_done() && error_.empty()) {
    if (const Status status = opening_->status(); !status) error_ = status.error().message;
  }
  std::shared_ptr<const store::Trace> newest = opening_->trace();
  if (newest == trace_) return;
  trace_ = std::move(newest);
  if (follows_) view_.window = TimeWindow::from_range(range());
}

void OpenTrace::navigate(const View& view, uint32_t gesture) {
  if (view == view_) return;
  if (gesture == 0 || gesture != last_gesture_) {
    if (undo_.size() == kUndoSteps) undo_.erase(undo_.begin());
    undo_.push_back(view_);
  }
  redo_.clear();
  last_gesture_ = gesture;
  follows_ = false;
  view_ = view;
}

void OpenTrace::fit(uint32_t gesture) {
  View view = view_;
  view.window = TimeWindow::from_range(range());
  navigate(view, gesture);
  follows_ = true;
}

bool OpenTrace::undo() {
  if (undo_.empty()) return false;
  redo_.push_back(std::exchange(view_, undo_.back()));
  undo_.pop_back();
  last_gesture_ = 0;
  follows_ = false;
  return true;
}

bool OpenTrace::redo() {
  if (redo_.empty()) return false;
  undo_.push_back(std::exchange(view_, redo_.back()));
  redo_.pop_back();
  last_gesture_ = 0;
  follows_ = false;
  return true;
}

void Session::say(std::string text, bool is_error) {
  message = {std::move(text), is_error, message.serial + 1};
}

}  // namespace weft::app
