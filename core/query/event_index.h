// Finds the n-th event of a selection, so that a table of 10^8 rows can scroll without holding its
// rows in memory.
//
//   time   |····leaf····|·leaf·|··············leaf··············|      at most kLeafEvents each,
//   rank   0            65 210 98 004                           …      or one tick long
//
// The leaves come from the tree's exact counts; an event is found by its leaf, then by reading that
// leaf in order (EventStream). With a predicate every event is tested once, while the index is
// made; the leaves then count the events that pass.
//
// Cost of making one: O(leaves · rows · log n) from the tree; with a predicate, or where the
// selection leaves types out, also O(n). Memory: 24 bytes a leaf. Reading: O(kLeafEvents + count).
// Immutable and thread-safe; touches mapped pages: use it on workers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/query/event_stream.h"
#include "core/query/selection.h"
#include "core/store/trace.h"

namespace weft::query {

class EventIndex {
 public:
  static constexpr uint64_t kLeafEvents = uint64_t{64} * 1024;

  // A further condition on events besides the selection; called from several threads. Empty: all
  // pass.
  using Predicate = std::function<bool(const Event&)>;

  // Returns nullopt if stopped.
  static std::optional<EventIndex> make(store::TracePtr trace, Selection selection,
                                        ThreadPool& pool, Predicate predicate = {},
                                        const std::stop_token& stop = {});

  const store::TracePtr& trace() const { return trace_; }
  const Selection& selection() const { return selection_; }
  uint64_t total() const { return total_; }
  bool takes(const Event& event) const { return !predicate_ || predicate_(event); }

  // Calls `body` for the events from rank `first` on, in EventStream's order, until it returns
  // false.
  void read(uint64_t first, const std::function<bool(const Event&)>& body) const;
  // Returns the number of events that begin before `time`.
  uint64_t rank_of(Time time) const;

  uint64_t size_bytes() const { return sizeof(*this) + leaves_.capacity() * sizeof(Leaf); }

 private:
  struct Leaf {
    TimeRange range;
    uint64_t first = 0;  // rank of its first event; under construction: its number of events
  };

  bool cut(TimeRange range, ThreadPool& pool, const std::stop_token& stop);
  void add_leaf(TimeRange range, uint64_t count);
  bool count_taken(ThreadPool& pool, const std::stop_token& stop);
  // Calls `body` for a leaf's events that pass, in order, until it returns false; returns whether
  // it did not.
  bool read_leaf(size_t leaf, const std::function<bool(const Event&)>& body) const;

  store::TracePtr trace_;
  Selection selection_;
  Predicate predicate_;
  std::vector<Leaf> leaves_;  // in order; gaps are empty of events
  uint64_t total_ = 0;
};

}  // namespace weft::query
