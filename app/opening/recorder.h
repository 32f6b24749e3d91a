// A flight recorder for what comes through a pipe: which of it is kept, and which event ends the
// reading.
//
//   ───────────────┬─ kept before ─┬─ kept after ─┐ reading ends
//                  │               ▲ the event of the trigger is known
//
// The event is looked for among what has just come, piece by piece, by the language of filters
// (core/query); so a condition can be on what an event is and says, not on what is around it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
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
  std::string trigger = {};  // an expression of the language of filters; empty: none
  // For so long reading goes on behind the event, of the trace's time, or of the clock on the wall
  // while nothing comes; as parse_duration() reads it. Empty: as long as `keep.last` says.
  std::string after = {};
  bool is_set() const { return *this != Recording(); }
  bool operator==(const Recording&) const = default;
};

// Whether it may have no end: standard input, a FIFO, and whatever is neither file nor folder; and
// a file that is followed.
bool may_have_no_end(const std::filesystem::path& path, bool follows);

// "30s" or "500MB", as it was typed; what the other says stays.
Status set_kept(store::Keep& keep, const std::string& text);
// What is wrong with it, in one line; of an expression with the column.
Status check(const Recording& recording);

struct TriggerHit {
  std::string trigger;
  query::ElementRef element;
  Time time;  // when it was known: at its end
};
// "outer on app/main at 1.2 s"; hostile text.
std::string in_words(const TriggerHit& hit, const store::Trace& trace);

class Recorder {
 public:
  // `wake`: from the reading thread, there is a hit. May be empty.
  explicit Recorder(std::function<void()> wake) : wake_(std::move(wake)) {}

  // From now on, until the next time. Any thread; builder and pool outlive the reading.
  void apply(const Recording& recording, store::StoreBuilder& builder, ThreadPool& pool);
  std::optional<TriggerHit> hit() const;
  // Nothing comes, and the time behind the event is over: there is nothing to wait for.
  bool is_over() const;

 private:
  using Clock = std::chrono::steady_clock;
  // By the reading thread.
  void look(const Recording& recording, const std::shared_ptr<const store::Trace>& news,
            store::StoreBuilder& builder, ThreadPool& pool);
  void set_end(const Recording& recording, Time hit, TimeBase base);

  std::function<void()> wake_;
  Time end_;                                 // of the reading, once there is a hit
  std::optional<Clock::time_point> end_at_;  // the same while nothing comes
  mutable std::mutex mutex_;
  std::optional<TriggerHit> hit_;  // guarded by it
};

}  // namespace weft::app
