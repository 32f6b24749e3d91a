#include "core/store/lane_writer.h"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

namespace weft::store {

void SegmentDraft::add(LaneId lane, RowKind kind, uint32_t key, const EncodedRow& row) {
  std::lock_guard lock(mutex_);
  SegmentRow r;
  r.lane = lane;
  r.kind = kind;
  r.key = key;
  r.first_begin = row.first_begin;
  r.last_begin = row.last_begin;
  r.last_end = row.last_end;
  r.busy = row.busy;
  r.min_value = row.min_value;
  r.max_value = row.max_value;
  r.records = row.records;
  r.first_list = static_cast<uint32_t>(lists_.size());
  r.lists = static_cast<uint32_t>(row.lists.size());
  rows_.push_back(r);
  lists_.insert(lists_.end(), row.lists.begin(), row.lists.end());
}

void SegmentDraft::add(const Totals& totals) {
  std::lock_guard lock(mutex_);
  totals_.add(totals);
}

void SegmentDraft::add_overlaps(const StatesOfLane& states) {
  std::lock_guard lock(mutex_);
  overlaps_.push_back(states);
}

void SegmentDraft::add_refused(const StatesOfLane& states) {
  std::lock_guard lock(mutex_);
  refused_.push_back(states);
}

namespace {

std::vector<StatesOfLane> by_lane(std::vector<StatesOfLane> states) {
  std::ranges::stable_sort(states, {}, &StatesOfLane::lane);
  return states;
}

}  // namespace

std::vector<StatesOfLane> SegmentDraft::overlaps() const { return by_lane(overlaps_); }
std::vector<StatesOfLane> SegmentDraft::refused() const { return by_lane(refused_); }

LargeVector<SegmentRow> SegmentDraft::take_rows() {
  std::sort(rows_.begin(), rows_.end(), [](const SegmentRow& a, const SegmentRow& b) {
    return std::tuple(a.lane, a.kind, a.key) < std::tuple(b.lane, b.kind, b.key);
  });
  return std::move(rows_);
}

std::vector<TableRef> SegmentDraft::take_lists() { return std::move(lists_); }

void LaneWriter::find_keys(RowKind kind) {
  keys_.assign(slice_.size(), 0);
  if (kind == RowKind::kState) {
    find_depths();
  } else if (kind == RowKind::kVariable) {
    for (size_t i = 0; i < slice_.size(); ++i) {
      const size_t next = variables_.entries().size();
      keys_[i] = static_cast<uint32_t>(variables_.insert(slice_[i].type.value(), next));
    }
  }
}

// States for which there is no row leave the slice.
void LaneWriter::find_depths() {
  const uint64_t refused = nesting_.refused().states;
  for (size_t i = 0; i < slice_.size(); ++i)
    keys_[i] = nesting_.place(slice_[i].begin.ticks, slice_[i].end().ticks);
  if (nesting_.refused().states == refused) return;
  size_t kept = 0;
  for (size_t i = 0; i < slice_.size(); ++i) {
    if (keys_[i] == Nesting::kMostRows) continue;
    slice_[kept] = slice_[i];
    keys_[kept++] = keys_[i];
  }
  slice_.resize(kept);
  keys_.resize(kept);
}

// Sorts the slice by key into rows_.
void LaneWriter::split(RowKind kind) {
  find_keys(kind);
  size_t keys = open_.size();
  for (const uint32_t key : keys_) keys = std::max<size_t>(keys, key + 1);
  ends_.assign(keys + 1, 0);
  for (const uint32_t key : keys_) ++ends_[key + 1];
  for (size_t key = 0; key < keys; ++key) ends_[key + 1] += ends_[key];
  rows_.resize(slice_.size());
  const bool has_peers = kind != RowKind::kState || use_ != SegmentUse::kFinal;
  for (size_t i = 0; i < slice_.size(); ++i) {
    Record& record = rows_[ends_[keys_[i]]++] = slice_[i];
    if (!has_peers) record.peer = LaneId::none();
  }
  ends_.pop_back();
}

// Whether the records wait with the few before them, for the next slice.
bool LaneWriter::waits(size_t key, std::span<const Record> records, bool is_last) {
  if (is_last || open_[key].encoder != nullptr) return false;
  OpenRow& row = open_[key];
  if (row.records + records.size() > kFew) return false;
  for (const Record& record : records) {
    const auto at = static_cast<uint32_t>(waiting_.size());
    waiting_.push_back({record});
    (row.first == kNone ? row.first : waiting_[row.last].next) = at;
    row.last = at;
    ++row.records;
  }
  return true;
}

// A row that ends with the last slice and has no encoder yet ends with it: all of these share one.
RowEncoder& LaneWriter::encoder_of(RowKind kind, size_t key, bool is_last) {
  OpenRow* const row = key < open_.size() ? &open_[key] : nullptr;
  if (row != nullptr && row->encoder != nullptr) return *row->encoder;
  if (!is_last) row->encoder = std::make_unique<RowEncoder>();
  RowEncoder& encoder = is_last ? single_ : *row->encoder;
  encoder.start(kind, use_ != SegmentUse::kRun);
  if (row == nullptr) return encoder;
  for (uint32_t at = std::exchange(row->first, kNone); at != kNone; at = waiting_[at].next)
    encoder.add({&waiting_[at].record, 1}, out_);
  return encoder;
}

void LaneWriter::add(LaneId lane, RowKind kind, bool is_last) {
  sort_records(slice_, kind, scratch_);
  if (use_ == SegmentUse::kRun) {
    ends_.assign(1, slice_.size());
  } else {
    split(kind);
  }
  totals_.add(kind, slice_);
  const std::span<const Record> records(use_ == SegmentUse::kRun ? slice_ : rows_);
  if (!is_last) open_.resize(ends_.size());
  const auto variables = variables_.entries();
  size_t begin = 0;
  for (size_t key = 0; key < ends_.size(); ++key) {
    const std::span<const Record> added = records.subspan(begin, ends_[key] - begin);
    begin = ends_[key];
    if (waits(key, added, is_last)) continue;
    RowEncoder& encoder = encoder_of(kind, key, is_last);
    encoder.add(added, out_);
    if (!is_last) continue;
    const auto row_key = static_cast<uint32_t>(key);
    draft_->add(lane, kind, !variables.empty() ? variables[key].first : row_key,
                encoder.finish(out_));
  }
  if (is_last) end_kind(lane);
}

void LaneWriter::end_kind(LaneId lane) {
  if (const auto& some = nesting_.overlaps(); some.states > 0)
    draft_->add_overlaps({lane, some.states, Time{some.first}});
  if (const auto& some = nesting_.refused(); some.states > 0)
    draft_->add_refused({lane, some.states, Time{some.first}});
  open_.clear();
  waiting_.clear();
  variables_.clear();
  nesting_ = {};
}

void for_each_lane(size_t count, SegmentUse use, ThreadPool& pool, FileEnd& file,
                   SegmentDraft& draft, const std::function<void(LaneWriter&, size_t)>& body) {
  std::atomic<size_t> next = 0;
  // One per core, though the caller works too: memory is divided by that number.
  pool.for_each(std::min(count, pool.size()), [&](size_t) {
    LaneWriter writer(use, draft, file);
    for (size_t i = next++; i < count; i = next++) body(writer, i);
  });
}

}  // namespace weft::store
