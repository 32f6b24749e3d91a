// Rows as a filter leaves them: the same as stored rows, with a tree of their own.
//
// A filtered row is a store::Row like any other, over a segment in memory that it owns: whatever
// reads rows (cells(), columns(), summarize(), layout::make_tiles()) reads it, and its answers
// are exact. What does not pass is not in it, so it breaks a run rather than hides in it. Where
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
#include <optional>
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
                    const std::stop_token& stop = {}, uint64_t* size_bytes = nullptr);

// Filtered rows that were built, the least recently used leaving. Thread-safe. Rows in use stay
// alive with their users.
class FilteredRows {
 public:
  explicit FilteredRows(uint64_t max_bytes = uint64_t{256} << 20) : max_bytes_(max_bytes) {}

  // For workers: builds the row where it is not there; a worker that asks for a row that another
  // one is building waits for it. Null where it was stopped.
  RowPtr get(const TracePtr& trace, RowId row, const FilterPtr& filter,
             const std::stop_token& stop = {});
  // The row, if it is there. Never builds, nor waits for a builder.
  RowPtr find(const TracePtr& trace, RowId row, const FilterPtr& filter);
  uint64_t size_bytes() const;

 private:
  struct Key {
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
    std::weak_ptr<const store::Trace> trace;  // which one of those that lay at key.trace
    std::mutex building;                      // held while a worker builds
    RowPtr row;  // null: not built. Guarded by mutex_, as is size_bytes
    uint64_t size_bytes = 0;
  };
  static constexpr uint64_t kEntryBytes = 1024;       // of a row that owns next to nothing
  using Entries = std::list<std::shared_ptr<Entry>>;  // most recently used first

  // None where everything passes: the stored row is the answer.
  static std::optional<Key> key_of(const TracePtr& trace, RowId row, const FilterPtr& filter);
  RowPtr row_of(const Entry& entry) const;
  std::shared_ptr<Entry> use(const TracePtr& trace, const Key& key);
  void keep(Entry& entry, const RowPtr& row, uint64_t size_bytes);
  // With mutex_ held:
  void grow(Entry& entry, uint64_t size_bytes);
  Entries::iterator remove(Entries::iterator entry);

  uint64_t max_bytes_;
  mutable std::mutex mutex_;  // held for look-ups only
  Entries entries_;
  std::unordered_map<Key, Entries::iterator, KeyHash> by_key_;
  uint64_t size_bytes_ = 0;
};

}  // namespace weft::aggregate
