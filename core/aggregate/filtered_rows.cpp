#include "core/aggregate/filtered_rows.h"

#include "core/aggregate/filtered_scan.h"
#include "core/store/memory_file.h"
#include "core/store/row_encoder.h"
#include "core/store/segment.h"

namespace weft::aggregate {
namespace {

using store::Row;

store::SegmentRow segment_row(const store::SegmentRow& of, const store::EncodedRow& encoded) {
  store::SegmentRow row = of;  // the lane, kind and key, and the range of values
  row.first_begin = encoded.first_begin;
  row.last_begin = encoded.last_begin;
  row.last_end = encoded.last_end;
  row.busy = encoded.busy;
  row.records = encoded.records;
  row.first_list = 0;
  row.lists = static_cast<uint32_t>(encoded.lists.size());
  return row;
}

}  // namespace

// The records that pass, with their forest: none or one row of the segment.
struct FilteredRows::Chunk {
  std::unique_ptr<store::Segment> segment;
  uint64_t size_bytes = 0;

  // Returns null if it was stopped.
  static ChunkPtr make(const store::Trace& trace, const Row& row, uint32_t part, RecordRun records,
                       const RowFilter& filter, const std::stop_token& stop) {
    store::MemoryFile memory;
    store::EncodedRow encoded;
    {
      store::SlabWriter out(memory.end());
      store::RowEncoder encoder;
      encoder.start(row.kind, true);
      const auto add = [&](const PassingRecords& passing) {
        encoder.add(passing.records, out);
        return true;
      };
      if (!for_each_passing(row, part, records, filter, add, stop)) return nullptr;
      encoded = encoder.finish(out);
    }
    auto chunk = std::make_shared<Chunk>();
    std::vector<std::byte> bytes = memory.take();
    chunk->size_bytes = bytes.size();
    chunk->segment = std::make_unique<store::Segment>(std::move(bytes));
    LargeVector<store::SegmentRow> rows;
    if (encoded.count > 0) rows.push_back(segment_row(row.parts[part].row(), encoded));
    chunk->segment->set_rows(std::move(rows), std::move(encoded.lists),
                             static_cast<uint32_t>(trace.dictionary().types.size()),
                             static_cast<uint32_t>(trace.dictionary().lanes.size()));
    return chunk;
  }
};

size_t FilteredRows::KeyHash::operator()(const Key& key) const {
  const size_t parts[] = {std::hash<const void*>{}(key.trace), std::hash<uint64_t>{}(key.filter),
                          key.row, key.part, std::hash<uint64_t>{}(key.first)};
  size_t hash = 0;
  for (const size_t part : parts) hash = (hash ^ part) * 0x9E3779B97F4A7C15;
  return hash;
}

struct FilteredRows::Filtered {
  std::vector<ChunkPtr> chunks;
  std::vector<store::RowPart> parts;
  Row row;

  // Makes `stored` the row whose parts are the chunks that have records.
  void take(const Row& stored) {
    row = stored;
    row.count = 0;
    row.busy = 0;
    for (const ChunkPtr& chunk : chunks) {
      for (const store::SegmentRow& part : chunk->segment->rows()) {
        const Time begin{part.first_begin};
        const Time end{part.last_end};
        row.first_begin = row.count == 0 ? begin : std::min(row.first_begin, begin);
        row.last_end = row.count == 0 ? end : std::max(row.last_end, end);
        row.count += part.records.rows;
        row.busy = saturating_add(row.busy, part.busy);
        parts.emplace_back(*chunk->segment, part);
      }
    }
    row.parts = parts;
  }
};

RecordRun FilteredRows::records_for(const Row& row, uint32_t part, TimeRange range) const {
  const store::RowPart& of = row.parts[part];
  RecordRun run{0, of.count()};
  if (run.end <= chunk_records_) return run;  // one chunk, whatever the range
  if (range.end < Time::max()) run.end = of.lower_bound(range.end.ticks);
  if (row.kind == store::RowKind::kVariable) return run;  // a value lasts until the next one
  run.first = of.lower_bound(range.begin.ticks);
  if (row.kind == store::RowKind::kState && run.first > 0) --run.first;  // may reach into it
  return run;
}

RowPtr FilteredRows::get(const store::TracePtr& trace, RowId id, const FilterPtr& filter,
                         TimeRange range, const std::stop_token& stop) {
  const Row& row = trace->row(id);
  if (filter == nullptr) return {trace, &row};
  const RowFilter of_row = filter->for_row(*trace, row);
  if (of_row.passes_all()) return {trace, &row};
  const auto owner = std::make_shared<Filtered>();
  std::vector<ChunkPtr>& chunks = owner->chunks;
  for (uint32_t part = 0; part < row.parts.size(); ++part) {
    const RecordRun records = records_for(row, part, range);
    const uint64_t first = records.first / chunk_records_ * chunk_records_;
    for (uint64_t at = first; at < records.end; at += chunk_records_) {
      chunks.push_back(
          chunk(trace, {trace.get(), filter->id(), id.value(), part, at}, of_row, stop));
      if (!chunks.back()) return nullptr;
    }
  }
  owner->take(row);
  return {owner, &owner->row};
}

FilteredRows::ChunkPtr FilteredRows::chunk(const store::TracePtr& trace, const Key& key,
                                           const RowFilter& filter, const std::stop_token& stop) {
  const std::shared_ptr<Entry> entry = use(trace, key);
  const std::lock_guard building(entry->building);
  if (ChunkPtr known = chunk_of(*entry)) return known;
  const Row& row = trace->row(RowId(key.row));
  const uint64_t end = std::min(row.parts[key.part].count(), key.first + chunk_records_);
  ChunkPtr built = Chunk::make(*trace, row, key.part, {key.first, end}, filter, stop);
  if (built != nullptr) keep(*entry, built);
  return built;
}

uint64_t FilteredRows::size_bytes() const {
  const std::lock_guard lock(mutex_);
  return size_bytes_;
}

FilteredRows::ChunkPtr FilteredRows::chunk_of(const Entry& entry) const {
  const std::lock_guard lock(mutex_);
  return entry.chunk;
}

// The entry of the key, made where there is none; now the most recently used.
std::shared_ptr<FilteredRows::Entry> FilteredRows::use(const store::TracePtr& trace,
                                                       const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) {
    if ((*known->second)->trace.lock() == trace) {
      entries_.splice(entries_.begin(), entries_, known->second);
      return entries_.front();
    }
    remove(known->second);  // another trace lay at this address
  }
  entries_.push_front(std::make_shared<Entry>());
  entries_.front()->key = key;
  entries_.front()->trace = trace;
  by_key_.emplace(key, entries_.begin());
  grow(*entries_.front(), kEntryBytes);
  return entries_.front();
}

void FilteredRows::keep(Entry& entry, const ChunkPtr& chunk) {
  const std::lock_guard lock(mutex_);
  entry.chunk = chunk;
  const auto known = by_key_.find(entry.key);
  const bool had_to_leave = known == by_key_.end() || known->second->get() != &entry;
  if (!had_to_leave) grow(entry, chunk->size_bytes);
}

// Makes room for what the entry has more now; it stays, however large it is.
void FilteredRows::grow(Entry& entry, uint64_t size_bytes) {
  entry.size_bytes += size_bytes;
  size_bytes_ += size_bytes;
  for (auto oldest = entries_.end(); size_bytes_ > max_bytes_ && oldest != entries_.begin();) {
    --oldest;
    if (oldest->get() != &entry) oldest = remove(oldest);
  }
}

std::vector<std::shared_ptr<const void>> FilteredRows::set_max_bytes(uint64_t max_bytes) {
  const std::lock_guard lock(mutex_);
  max_bytes_ = max_bytes;
  std::vector<std::shared_ptr<const void>> gone;
  while (size_bytes_ > max_bytes_ && !entries_.empty()) {
    gone.push_back(entries_.back());
    remove(std::prev(entries_.end()));
  }
  return gone;
}

FilteredRows::Entries::iterator FilteredRows::remove(Entries::iterator entry) {
  size_bytes_ -= (*entry)->size_bytes;
  by_key_.erase((*entry)->key);
  return entries_.erase(entry);
}

}  // namespace weft::aggregate
