// Rows as a filter leaves them: the same as stored rows, with a tree of their own.
//
// A filtered row is a store::Row like any other, over a segment in memory that it owns: whatever
// reads rows (cells(), columns(), summarize(), make_tile, hover) reads it, and its answers are
// exact. What does not pass is not in it, so it breaks a run rather than hides in it. Where
// everything passes, the filtered row is the stored one. Records keep their parameters; an index is
// one of the filtered row. Rows of variables keep the range of values of the stored row, so that
// their scale does not change.
//
// Building reads the row once and skips, by the tree and the bounds of blocks, what cannot pass.
// It is work for workers. Memory: about 10 bytes per record that passes.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <unordered_map>

#include "core/aggregate/filter.h"
#include "core/store/trace.h"

namespace weft::aggregate {

using RowPtr = std::shared_ptr<const store::Row>;
using TracePtr = std::shared_ptr<const store::Trace>;

// The stored row; it keeps the trace alive.
RowPtr stored_row(const TracePtr& trace, RowId row);

// The row as the filter leaves it (null filter: the stored row). Null where it was stopped.
// `size_bytes`: memory that it owns.
RowPtr filtered_row(const TracePtr& trace, RowId row, const FilterPtr& filter,
                    std::stop_token stop = {}, uint64_t* size_bytes = nullptr);

// Filtered rows that were built, the least recently used leaving. Thread-safe. Rows in use stay
// alive with their users.
class FilteredRows {
 public:
  explicit FilteredRows(uint64_t max_bytes = uint64_t{256} << 20) : max_bytes_(max_bytes) {}

  // For workers: builds the row where it is not there; a worker that asks for a row that another
  // one is building waits for it. Null where it was stopped.
  RowPtr get(const TracePtr& trace, RowId row, const FilterPtr& filter, std::stop_token stop = {});
  // The row, if it is there. Never builds or waits for a builder: (frame-safe).
  RowPtr find(const TracePtr& trace, RowId row, const FilterPtr& filter);
  uint64_t size_bytes() const;

 private:
  struct Key {
    uint64_t generation;
    const store::Trace* trace;
    uint64_t filter;
    uint32_t row;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  struct Entry {
    Key key;
    std::mutex building;  // held while a worker builds
    std::weak_ptr<const store::Trace> trace;
    RowPtr row;  // guarded by mutex_; null: not built
    uint64_t size_bytes = 0;
  };
  using Entries = std::list<std::shared_ptr<Entry>>;  // most recently used first

  std::shared_ptr<Entry> entry(const TracePtr& trace, const Key& key);
  void trim();

  uint64_t max_bytes_;
  mutable std::mutex mutex_;  // held for look-ups only
  Entries entries_;
  std::unordered_map<Key, Entries::iterator, KeyHash> by_key_;
  uint64_t size_bytes_ = 0;
};

}  // namespace weft::aggregate
