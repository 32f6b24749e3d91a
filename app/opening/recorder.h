// A flight recorder for traces that come through a pipe: decides what is kept, and which event ends
// the reading.
//
//   ───────────────┬─ kept before ─┬─ kept after ─┐ reading ends
//                  │               ▲ the event of the trigger is known
//
// The trigger is searched for in the events that have just come, piece by piece, with the filter
// language (core/query). So its condition can refer to an event itself, but not to the events
// around it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/query/element.h"
#include "core/store/builder.h"

namespace weft::app {

struct Recording {
  store::Keep keep = {};
  std::string trigger = {};  // an expression in the filter language; empty: none
  // How long reading goes on after the trigger, by the trace's time, or by wall-clock time while
  // nothing comes; as parse_duration() reads it. Empty: as long as `keep.last`.
  std::string after = {};
  bool is_set() const { return *this != Recording(); }
  bool operator==(const Recording&) const = default;
};

// Whether the input may have no end: standard input, a FIFO and anything else that is neither file
// nor folder, and a followed file.
bool may_have_no_end(const std::filesystem::path& path, bool follows);

// Sets the time or the size to keep from "30s" or "500MB"; the other one stays.
Status set_kept(store::Keep& keep, const std::string& text);
// An error if the recording is invalid, in one line, with the column of an error in the expression.
Status check(const Recording& recording);

struct TriggerHit {
  std::string trigger;
  query::ElementRef element;
  Time time;  // when the event was complete: its end
};
// "outer on app/main at 1.2 s". May contain hostile text.
std::string in_words(const TriggerHit& hit, const store::Trace& trace);

class Recorder {
 public:
  // `wake` is called on the reading thread when there is a hit; may be empty.
  explicit Recorder(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Sets the recording until the next call. Callable on any thread; `builder` and `pool` must
  // outlive the reading.
  void apply(const Recording& recording, store::StoreBuilder& builder, ThreadPool& pool);
  std::optional<TriggerHit> hit() const;
  // Whether nothing comes and the time after the trigger is over: there is nothing left to wait
  // for.
  bool is_over() const;

 private:
  using Clock = std::chrono::steady_clock;
  // Called on the reading thread.
  void look(const Recording& recording, const store::TracePtr& news, store::StoreBuilder& builder,
            ThreadPool& pool);
  void set_end(const Recording& recording, Time hit, TimeBase base);

  std::function<void()> wake_;
  Time end_;                                 // where the reading ends, once there is a hit
  std::optional<Clock::time_point> end_at_;  // the same on the wall clock, while nothing comes
  mutable std::mutex mutex_;
  std::optional<TriggerHit> hit_;  // guarded by mutex_
};

}  // namespace weft::app
