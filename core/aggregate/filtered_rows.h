// Filtered rows: rows of the records that pass a filter, each with an aggregation tree of its own.
//
// A filtered row is a store::Row like any other, over a segment in memory that it owns: everything
// that reads rows (cells(), columns(), summarize(), layout::make_tiles()) can read it, with exact
// results. Records that do not pass are absent, so they leave gaps instead of being hidden in
// aggregates. If everything passes, the filtered row is the stored one. Records keep their
// parameters; indices count within the filtered row. Rows of variables keep the value range of the
// stored row, so that their scale does not change.
//
// A long row is filtered in chunks of records, and a query of a time range builds only those that
// it needs: the first tiles of 10^8 records appear while several workers still make others. Each
// chunk is a part of the filtered row.
//
// Building reads a chunk once and skips, by the tree and the bounds of blocks, what cannot pass;
// call it from workers. Memory: about 10 bytes per record that passes.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/aggregate/filtered_scan.h"
#include "core/store/trace.h"

namespace weft::aggregate {

using RowPtr = std::shared_ptr<const store::Row>;

// Records per chunk: 20 ms of work for one worker if all pass, 4 MB. Most rows are one chunk.
inline constexpr uint64_t kFilterChunkRecords = uint64_t{1} << 19;
inline bool is_filtered_in_chunks(const store::Row& row) { return row.count > kFilterChunkRecords; }

// A cache of filtered rows, chunk by chunk, with LRU eviction. Thread-safe. Rows in use stay alive
// with their users.
class FilteredRows {
 public:
  explicit FilteredRows(uint64_t max_bytes = uint64_t{256} << 20,
                        uint64_t chunk_records = kFilterChunkRecords)
      : max_bytes_(max_bytes), chunk_records_(chunk_records) {}

  // Returns the filtered row, complete for what overlaps `range` (for variables also for what
  // precedes it); the rest of a long row may be missing. Builds missing chunks; a worker that needs
  // a chunk another one is building waits for it. Null if stopped. A null filter gives the stored
  // row, which keeps the trace alive. Call from workers.
  RowPtr get(const store::TracePtr& trace, RowId row, const FilterPtr& filter, TimeRange range,
             const std::stop_token& stop = {});
  uint64_t size_bytes() const;
  // Sets the limit; returns the evicted entries, because freeing them takes time.
  [[nodiscard]] std::vector<std::shared_ptr<const void>> set_max_bytes(uint64_t max_bytes);

 private:
  struct Chunk;  // the records of a chunk that pass
  using ChunkPtr = std::shared_ptr<const Chunk>;
  struct Key {
    const store::Trace* trace;
    uint64_t filter;
    uint32_t row;
    uint32_t part;   // of the row
    uint64_t first;  // first record of the chunk in its part
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  struct Entry {
    Key key;
    std::weak_ptr<const store::Trace> trace;  // tells apart traces that lay at the same address
    std::mutex building;                      // held while a worker builds
    ChunkPtr chunk;  // null: not built. Guarded by mutex_, as is size_bytes
    uint64_t size_bytes = 0;
  };
  static constexpr uint64_t kEntryBytes = 1024;       // accounted for any chunk, even an empty one
  using Entries = std::list<std::shared_ptr<Entry>>;  // most recently used first

  struct Filtered;  // a row over chunks
  // Returns the records of the part among which those that overlap the range must be.
  RecordRun records_for(const store::Row& row, uint32_t part, TimeRange range) const;
  ChunkPtr chunk(const store::TracePtr& trace, const Key& key, const RowFilter& filter,
                 const std::stop_token& stop);
  ChunkPtr chunk_of(const Entry& entry) const;
  std::shared_ptr<Entry> use(const store::TracePtr& trace, const Key& key);
  void keep(Entry& entry, const ChunkPtr& chunk);
  // Call with mutex_ held:
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
