#include "core/store/lane_writer.h"

#include <algorithm>
#include <atomic>
#include <tuple>

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

void SegmentDraft::add(const Overlaps& overlaps) {
  std::lock_guard lock(mutex_);
  overlaps_.push_back(overlaps);
}

std::vector<Overlaps> SegmentDraft::overlaps() const {
  std::vector<Overlaps> sorted = overlaps_;
  std::ranges::sort(sorted, {}, &Overlaps::lane);
  return sorted;
}

std::vector<SegmentRow> SegmentDraft::take_rows() {
  std::sort(rows_.begin(), rows_.end(), [](const SegmentRow& a, const SegmentRow& b) {
    return std::tuple(a.lane, a.kind, a.key) < std::tuple(b.lane, b.kind, b.key);
  });
  return std::move(rows_);
}

std::vector<TableRef> SegmentDraft::take_lists() { return std::move(lists_); }

void LaneWriter::find_keys(RowKind kind, std::span<const Record> sorted) {
  keys_.assign(sorted.size(), 0);
  if (kind == RowKind::kState) {
    for (size_t i = 0; i < sorted.size(); ++i) {
      keys_[i] = nesting_.place(sorted[i].begin.ticks, sorted[i].end().ticks);
    }
  } else if (kind == RowKind::kVariable) {
    for (size_t i = 0; i < sorted.size(); ++i) {
      const auto next = static_cast<uint32_t>(variables_.size());
      keys_[i] = variables_.try_emplace(sorted[i].type.value(), next).first->second;
    }
  }
}

// Sorts the slice by key into rows_.
void LaneWriter::split(RowKind kind, std::span<const Record> sorted) {
  find_keys(kind, sorted);
  size_t keys = open_.size();
  for (const uint32_t key : keys_) keys = std::max<size_t>(keys, key + 1);
  ends_.assign(keys + 1, 0);
  for (const uint32_t key : keys_) ++ends_[key + 1];
  for (size_t key = 0; key < keys; ++key) ends_[key + 1] += ends_[key];
  rows_.resize(sorted.size());
  const bool has_peers = kind != RowKind::kState || use_ != SegmentUse::kFinal;
  for (size_t i = 0; i < sorted.size(); ++i) {
    Record& record = rows_[ends_[keys_[i]]++] = sorted[i];
    if (!has_peers) record.peer = LaneId::none();
  }
  ends_.pop_back();
}

// A row that begins with the last slice ends with it: all of these share one.
RowEncoder& LaneWriter::encoder_of(RowKind kind, size_t key, bool is_last) {
  const bool has_begun = key < open_.size() && open_[key] != nullptr;
  if (has_begun) return *open_[key];
  if (!is_last) open_[key] = std::make_unique<RowEncoder>();
  RowEncoder& encoder = is_last ? single_ : *open_[key];
  encoder.start(kind, use_ != SegmentUse::kRun);
  return encoder;
}

void LaneWriter::add(LaneId lane, RowKind kind, bool is_last) {
  sort_records(slice_, kind, scratch_);
  std::span<const Record> records(slice_);
  totals_.add(kind, records);
  if (use_ == SegmentUse::kRun) {
    ends_.assign(1, records.size());
  } else {
    split(kind, records);
    records = rows_;
  }
  if (!is_last) open_.resize(ends_.size());
  std::vector<uint32_t> types(variables_.size());
  for (const auto& [type, key] : variables_) types[key] = type;
  size_t begin = 0;
  for (size_t key = 0; key < ends_.size(); ++key) {
    RowEncoder& encoder = encoder_of(kind, key, is_last);
    encoder.add(records.subspan(begin, ends_[key] - begin), out_);
    begin = ends_[key];
    if (!is_last) continue;
    const auto row_key = static_cast<uint32_t>(key);
    draft_->add(lane, kind, !variables_.empty() ? types[key] : row_key, encoder.finish(out_));
  }
  if (is_last) end_kind(lane);
}

void LaneWriter::end_kind(LaneId lane) {
  if (nesting_.overlaps() > 0)
    draft_->add({lane, nesting_.overlaps(), Time{nesting_.first_overlap()}});
  open_.clear();
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
