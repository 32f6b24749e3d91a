// A search over a trace: how many events pass a filter, where they lie in time, the next and the
// previous one. Workers drive it; the frame thread polls it and never waits for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

// An event that was found, and its place in the order of all: by begin, then as rows are shown,
// then by index. In growing traces an index is one within its part.
struct SearchHit {
  Time time;
  RowId row;
  uint32_t part = 0;
  uint64_t index = 0;
  store::Record record;

  friend bool operator<(const SearchHit& a, const SearchHit& b) {
    return std::tuple(a.time, a.row, a.part, a.index) < std::tuple(b.time, b.row, b.part, b.index);
  }
};

// How far a question is: of what it may have to read. Shared between the worker and who watches.
struct SearchProgress {
  std::atomic<uint64_t> records = 0;  // read or skipped
  std::atomic<uint64_t> total = 0;    // 0: not begun
};

// Where to go on from: after (before) this place in the order of events.
struct SearchPlace {
  Time time;
  RowId row = RowId::none();  // none: `time` itself is where to begin, inclusive
  uint32_t part = 0;
  uint64_t index = 0;
  static SearchPlace at(Time time) { return {time}; }
  static SearchPlace of(const SearchHit& hit) { return {hit.time, hit.row, hit.part, hit.index}; }
};

// The first event of the selection that begins after `place` / the last one that begins before it;
// none where there is none, or where it was stopped. Work for workers: looks through time in steps
// that grow, all rows of a step on all threads.
std::optional<SearchHit> next_hit(const store::Trace& trace, const Selection& selection,
                                  SearchPlace place, ThreadPool& pool,
                                  const std::stop_token& stop = {},
                                  SearchProgress* progress = nullptr);
std::optional<SearchHit> previous_hit(const store::Trace& trace, const Selection& selection,
                                      SearchPlace place, ThreadPool& pool,
                                      const std::stop_token& stop = {},
                                      SearchProgress* progress = nullptr);

// Counts all hits, from the begin of the selection on.
class Search {
 public:
  // `bins`: equal parts of the selection's range, in which hits are counted (as density() cuts it).
  Search(std::shared_ptr<const store::Trace> trace, Selection selection, uint32_t bins);

  // For a worker; returns when all is counted or it was stopped.
  void run(ThreadPool& pool, const std::stop_token& stop);

  // All of these may be called at any time, from any thread, and never wait: (frame-safe).
  uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }
  // Hits that begin in bin i; grows while it runs.
  uint64_t hits_in(uint32_t bin) const { return bins_[bin].load(std::memory_order_relaxed); }
  uint32_t bins() const { return static_cast<uint32_t>(bins_.size()); }
  TimeRange bin_range(uint32_t bin) const;
  // Before this, everything is counted.
  Time counted_until() const { return {counted_until_.load(std::memory_order_acquire)}; }
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  const SearchProgress& progress() const { return progress_; }
  const Selection& selection() const { return selection_; }

 private:
  std::shared_ptr<const store::Trace> trace_;
  Selection selection_;
  std::vector<std::atomic<uint64_t>> bins_;
  std::atomic<uint64_t> hits_ = 0;
  std::atomic<int64_t> counted_until_;
  std::atomic<bool> is_done_ = false;
  SearchProgress progress_;
};

}  // namespace weft::query
