// Searches a trace: the number of a selection's events, their distribution over time, the next and
// the previous one. Workers run a search; the frame thread polls it without waiting.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/query/selection.h"
#include "core/query/work.h"
#include "core/store/trace.h"

namespace weft::query {

// A position in the order of all events: by begin, then by row as shown, then by record in the row.
struct EventPlace {
  Time time;
  RowId row;
  uint32_t part = 0;   // part of the row; more than one in growing traces only
  uint64_t index = 0;  // in the part
  auto operator<=>(const EventPlace&) const = default;

  // Positions before and after all events that begin at `time`.
  static constexpr EventPlace before(Time time) { return {time, RowId(0), 0, 0}; }
  static constexpr EventPlace after(Time time) { return {time, RowId::none(), 0, 0}; }
};

struct SearchHit {
  EventPlace place;
  store::Record record;
};

// The progress of a search, in units of its own. Written by the worker, read by observers.
struct SearchProgress {
  std::atomic<uint64_t> done = 0;
  std::atomic<uint64_t> total = 0;  // 0: not begun

  double share() const {
    const uint64_t all = total;
    return all == 0 ? 0 : static_cast<double>(done) / static_cast<double>(all);
  }
};

// Return the first event of the selection that begins in its range at or after `from`, and the last
// one before `from`; nullopt if there is none or if stopped. To continue from a hit: next_hit(…,
// successor(hit.place)), previous_hit(…, hit.place).
//
// Call from workers: time is searched in growing steps, all rows of a step on all threads, so that
// the cost depends on the distance of the hit; what the tree rules out costs next to nothing.
std::optional<SearchHit> next_hit(const store::Trace& trace, const Selection& selection,
                                  EventPlace from, const Work& work,
                                  SearchProgress* progress = nullptr);
std::optional<SearchHit> previous_hit(const store::Trace& trace, const Selection& selection,
                                      EventPlace from, const Work& work,
                                      SearchProgress* progress = nullptr);
constexpr EventPlace successor(EventPlace place) {
  ++place.index;
  return place;
}

// Counts all events of a selection, from the begin of its range on.
class Search {
 public:
  // `bins` is the number of equal parts of the selection's range in which hits are counted, as by
  // density().
  Search(store::TracePtr trace, Selection selection, uint32_t bins);

  // Runs the search; call once, from a worker. Returns when everything is counted or it is stopped.
  void run(const Work& work);

  // Returns the number of hits in the range before a place; all of these must have been counted.
  // Call from workers: reads what begins in the place's bin.
  uint64_t rank_of(EventPlace place, const Work& work) const;

  // (frame-safe) These may be called at any time, from any thread, and never wait.
  uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }
  // Hits that begin in bin i. States that reach into the range from before are in none.
  uint64_t hits_in(uint32_t bin) const { return bins_[bin].load(std::memory_order_relaxed); }
  // Hits counted so far in one row of the trace.
  uint64_t hits_of(RowId row) const { return by_row_[row.value()].load(std::memory_order_relaxed); }
  // Whether anything in that row passes, incoming links included.
  bool passes_in(RowId row) const {
    return has_passing_[row.value()].load(std::memory_order_relaxed);
  }
  size_t rows() const { return by_row_.size(); }
  uint32_t bins() const { return static_cast<uint32_t>(bins_.size()); }
  TimeRange bin_range(uint32_t bin) const;
  bool is_done() const { return is_done_.load(std::memory_order_acquire); }
  const SearchProgress& progress() const { return progress_; }
  const Selection& selection() const { return selection_; }

 private:
  struct Part;
  void count(const Part& part, const std::stop_token& stop);

  store::TracePtr trace_;
  Selection selection_;
  std::vector<std::atomic<uint64_t>> bins_;
  std::vector<std::atomic<uint64_t>> by_row_;
  std::vector<std::atomic<bool>> has_passing_;  // by row
  std::atomic<uint64_t> hits_ = 0;
  std::atomic<bool> is_done_ = false;
  SearchProgress progress_;
};

}  // namespace weft::query
