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
  history_.view.window = TimeWindow::from_range(range());
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
}

}  // namespace weft::app
