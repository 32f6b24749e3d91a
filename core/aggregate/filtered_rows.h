// Rows as a filter leaves them: the same as stored rows, with a tree of their own.
//
// A filtered row is a store::Row like any other, over a segment in memory that it owns: whatever
// reads rows (cells(), columns(), summarize(), layout::make_tiles()) reads it, and its answers
// are exact. What does not pass is not in it, so it breaks a run rather than hides in it. Where
// everything passes, the filtered row is the stored one. Records keep their parameters; an index is
// one of the filtered row. Rows of variables keep the range of values of the stored row, so that
// their scale does not change.
//
// A long row is filtered in chunks of records, and a question about some of the time reads only
// those that it needs: the first tiles of 10^8 records are there while others are still being made,
// by as many workers as there are. Each chunk is a part of the filtered row.
//
// Building reads a chunk once and skips, by the tree and the bounds of blocks, what cannot pass.
// It is work for workers. Memory: about 10 bytes per record that passes.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/aggregate/filtered_scan.h"
#include "core/store/trace.h"

namespace weft::aggregate {

using RowPtr = std::shared_ptr<const store::Row>;
using TracePtr = std::shared_ptr<const store::Trace>;

// Of a long row: 20 ms of work for one worker where all passes, 4 MB. Most rows are one chunk.
inline constexpr uint64_t kFilterChunkRecords = uint64_t{1} << 19;
inline bool is_filtered_in_chunks(const store::Row& row) { return row.count > kFilterChunkRecords; }

// Rows under filters, as far as they were built: chunks, the least recently used leaving.
// Thread-safe. Rows in use stay alive with their users.
class FilteredRows {
 public:
  explicit FilteredRows(uint64_t max_bytes = uint64_t{256} << 20,
                        uint64_t chunk_records = kFilterChunkRecords)
      : max_bytes_(max_bytes), chunk_records_(chunk_records) {}

  // For workers: the row as the filter leaves it, whole as far as what overlaps `range` is
  // concerned (of variables: and what came before); of the rest of a long row there may be less.
  // Builds what is not there; a worker that asks for what another one is building waits for it.
  // Null where it was stopped. Null filter: the stored row, which keeps the trace alive.
  RowPtr get(const TracePtr& trace, RowId row, const FilterPtr& filter, TimeRange range,
             const std::stop_token& stop = {});
  uint64_t size_bytes() const;
  // From now on; what does not fit any more is given to the caller, since freeing it takes time.
  [[nodiscard]] std::vector<std::shared_ptr<const void>> set_max_bytes(uint64_t max_bytes);

 private:
  struct Chunk;  // what passes of it
  using ChunkPtr = std::shared_ptr<const Chunk>;
  struct Key {
    const store::Trace* trace;
    uint64_t filter;
    uint32_t row;
    uint32_t part;   // of the row
    uint64_t first;  // record of the part
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  struct Entry {
    Key key;
    std::weak_ptr<const store::Trace> trace;  // which one of those that lay at key.trace
    std::mutex building;                      // held while a worker builds
    ChunkPtr chunk;  // null: not built. Guarded by mutex_, as is size_bytes
    uint64_t size_bytes = 0;
  };
  static constexpr uint64_t kEntryBytes = 1024;       // of a chunk that owns next to nothing
  using Entries = std::list<std::shared_ptr<Entry>>;  // most recently used first

  // The row whose parts are those chunks that have records.
  static store::Row row_over(const store::Row& stored, std::span<const ChunkPtr> chunks);
  // The records of the part that what overlaps the range may be in.
  RecordRun records_for(const store::Row& row, uint32_t part, TimeRange range) const;
  ChunkPtr chunk(const TracePtr& trace, const Key& key, const RowFilter& filter,
                 const std::stop_token& stop);
  ChunkPtr chunk_of(const Entry& entry) const;
  std::shared_ptr<Entry> use(const TracePtr& trace, const Key& key);
  void keep(Entry& entry, const ChunkPtr& chunk);
  // With mutex_ held:
  void grow(Entry& entry, uint64_t size_bytes);
  Entries::iterator remove(Entries::iterator entry);

  uint64_t max_bytes_;
  uint64_t chunk_records_;
  mutable std::mutex mutex_;  // held for look-ups only
  Entries entries_;
  std::unordered_map<Key, Entries::iterator, KeyHash> by_key_;
  uint64_t size_bytes_ = 0;
};

}  // namespace weft::aggregate
