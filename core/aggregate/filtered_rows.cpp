#include "core/aggregate/filtered_rows.h"

#include <cstring>

#include "core/aggregate/filtered_scan.h"
#include "core/store/row_encoder.h"
#include "core/store/segment.h"

namespace weft::aggregate {
namespace {

using store::Row;

// What a filtered row owns.
struct OwnedRow {
  std::unique_ptr<store::Segment> segment;
  Row row;
};

// Where the encoder writes: bytes in memory instead of a file.
class Memory {
 public:
  store::FileEnd& end() { return end_; }
  // The bytes, with the slack that reading wants; the memory is spent.
  std::vector<std::byte> take() {
    bytes_.resize(end_.end() + store::kReadSlack);
    bytes_.shrink_to_fit();
    return std::move(bytes_);
  }

 private:
  Status write(uint64_t at, std::span<const std::byte> bytes) {
    if (bytes_.size() < at + bytes.size()) bytes_.resize(at + bytes.size());
    std::memcpy(bytes_.data() + at, bytes.data(), bytes.size());
    return {};
  }

  std::vector<std::byte> bytes_;
  store::FileEnd end_{
      [this](uint64_t at, std::span<const std::byte> bytes) { return write(at, bytes); }, 0};
};

// One part: the records that pass, with their forest. False where it was stopped.
bool encode(const Row& row, uint32_t part, const RowFilter& filter, const std::stop_token& stop,
            store::SlabWriter& out, store::EncodedRow& encoded) {
  Row of_part = row;
  of_part.parts = {row.parts[part]};
  store::RowEncoder encoder;
  encoder.start(row.kind, true);
  const auto add = [&](const PassingRecords& passing) {
    encoder.add(passing.records, out);
    return true;
  };
  const bool is_done = for_each_passing(of_part, filter, {Time::min(), Time::max()},
                                        ScanOrder::kForwards, add, stop);
  encoded = encoder.finish(out);
  return is_done;
}

store::SegmentRow segment_row(const store::SegmentRow& of, const store::EncodedRow& encoded,
                              std::vector<store::TableRef>& lists) {
  store::SegmentRow row = of;  // the lane, kind and key, and the range of values
  row.first_begin = encoded.first_begin;
  row.last_begin = encoded.last_begin;
  row.last_end = encoded.last_end;
  row.busy = encoded.busy;
  row.records = encoded.records;
  row.first_list = static_cast<uint32_t>(lists.size());
  row.lists = static_cast<uint32_t>(encoded.lists.size());
  lists.insert(lists.end(), encoded.lists.begin(), encoded.lists.end());
  return row;
}

// The row over the parts that have records.
Row row_over(const Row& stored, const store::Segment& segment) {
  Row row = stored;
  row.parts.clear();
  row.count = 0;
  row.busy = 0;
  for (const store::SegmentRow& part : segment.rows()) {
    const Time begin{part.first_begin};
    const Time end{part.last_end};
    row.first_begin = row.count == 0 ? begin : std::min(row.first_begin, begin);
    row.last_end = row.count == 0 ? end : std::max(row.last_end, end);
    row.count += part.records.rows;
    row.busy = saturating_add(row.busy, part.busy);
    row.parts.emplace_back(segment, part);
  }
  return row;
}

}  // namespace

RowPtr stored_row(const TracePtr& trace, RowId row) { return {trace, &trace->row(row)}; }

RowPtr filtered_row(const TracePtr& trace, RowId id, const FilterPtr& filter,
                    const std::stop_token& stop, uint64_t* size_bytes) {
  const Row& row = trace->row(id);
  if (filter == nullptr) return stored_row(trace, id);
  const RowFilter of_row = filter->for_row(*trace, row);
  if (of_row.passes_all()) return stored_row(trace, id);

  Memory memory;
  std::vector<store::SegmentRow> rows;
  std::vector<store::TableRef> lists;
  {
    store::SlabWriter out(memory.end());
    for (uint32_t part = 0; part < row.parts.size(); ++part) {
      store::EncodedRow encoded;
      if (!encode(row, part, of_row, stop, out, encoded)) return nullptr;
      if (encoded.count > 0) rows.push_back(segment_row(row.parts[part].row(), encoded, lists));
    }
  }
  auto owned = std::make_shared<OwnedRow>();
  std::vector<std::byte> bytes = memory.take();
  if (size_bytes != nullptr) *size_bytes = bytes.size();
  owned->segment = std::make_unique<store::Segment>(std::move(bytes));
  owned->segment->set_rows(std::move(rows), std::move(lists),
                           static_cast<uint32_t>(trace->dictionary().types.size()),
                           static_cast<uint32_t>(trace->dictionary().lanes.size()));
  owned->row = row_over(row, *owned->segment);
  return {owned, &owned->row};
}

size_t FilteredRows::KeyHash::operator()(const Key& key) const {
  const size_t parts[] = {std::hash<const void*>{}(key.trace), std::hash<uint64_t>{}(key.filter),
                          std::hash<uint32_t>{}(key.row)};
  size_t hash = 0;
  for (const size_t part : parts) hash = (hash ^ part) * 0x9E3779B97F4A7C15;
  return hash;
}

std::optional<FilteredRows::Key> FilteredRows::key_of(const TracePtr& trace, RowId row,
                                                      const FilterPtr& filter) {
  if (filter == nullptr || filter->for_row(*trace, trace->row(row)).passes_all()) {
    return std::nullopt;
  }
  return Key{trace.get(), filter->id(), row.value()};
}

RowPtr FilteredRows::get(const TracePtr& trace, RowId row, const FilterPtr& filter,
                         const std::stop_token& stop) {
  const std::optional<Key> key = key_of(trace, row, filter);
  if (!key) return stored_row(trace, row);
  const std::shared_ptr<Entry> entry = use(trace, *key);
  const std::lock_guard building(entry->building);
  if (RowPtr known = row_of(*entry)) return known;
  uint64_t size_bytes = 0;
  RowPtr built = filtered_row(trace, row, filter, stop, &size_bytes);
  if (built != nullptr) keep(*entry, built, size_bytes);
  return built;
}

RowPtr FilteredRows::find(const TracePtr& trace, RowId row, const FilterPtr& filter) {
  const std::optional<Key> key = key_of(trace, row, filter);
  if (!key) return stored_row(trace, row);
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(*key);
  if (known == by_key_.end() || (*known->second)->trace.lock() != trace) return nullptr;
  entries_.splice(entries_.begin(), entries_, known->second);
  return entries_.front()->row;
}

uint64_t FilteredRows::size_bytes() const {
  const std::lock_guard lock(mutex_);
  return size_bytes_;
}

RowPtr FilteredRows::row_of(const Entry& entry) const {
  const std::lock_guard lock(mutex_);
  return entry.row;
}

// The entry of the key, made where there is none; now the most recently used.
std::shared_ptr<FilteredRows::Entry> FilteredRows::use(const TracePtr& trace, const Key& key) {
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

void FilteredRows::keep(Entry& entry, const RowPtr& row, uint64_t size_bytes) {
  const std::lock_guard lock(mutex_);
  entry.row = row;
  const auto known = by_key_.find(entry.key);
  const bool had_to_leave = known == by_key_.end() || known->second->get() != &entry;
  if (!had_to_leave) grow(entry, size_bytes);
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

FilteredRows::Entries::iterator FilteredRows::remove(Entries::iterator entry) {
  size_bytes_ -= (*entry)->size_bytes;
  by_key_.erase((*entry)->key);
  return entries_.erase(entry);
}

}  // namespace weft::aggregate
