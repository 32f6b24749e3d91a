#include "core/store/lane_writer.h"

#include <algorithm>
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

std::vector<SegmentRow> SegmentDraft::take_rows() {
  std::sort(rows_.begin(), rows_.end(), [](const SegmentRow& a, const SegmentRow& b) {
    return std::tuple(a.lane, a.kind, a.key) < std::tuple(b.lane, b.kind, b.key);
  });
  return std::move(rows_);
}

std::vector<TableRef> SegmentDraft::take_lists() { return std::move(lists_); }

void LaneWriter::find_keys(RowKind kind, std::span<const Record> sorted) {
  keys_.resize(sorted.size());
  const bool has_rows = use_ != SegmentUse::kRun;
  if (has_rows && kind == RowKind::kState) {
    for (size_t i = 0; i < sorted.size(); ++i) {
      keys_[i] = nesting_.place(sorted[i].begin.ticks, sorted[i].end().ticks);
    }
  } else if (has_rows && kind == RowKind::kVariable) {
    for (size_t i = 0; i < sorted.size(); ++i) {
      const auto next = static_cast<uint32_t>(variables_.size());
      keys_[i] = variables_.try_emplace(sorted[i].type.value(), next).first->second;
    }
  } else {
    std::fill(keys_.begin(), keys_.end(), 0);
  }
}

void LaneWriter::encode(RowEncoder& encoder, RowKind kind, std::span<const Record> sorted,
                        std::span<const uint32_t> order) {
  for (uint32_t i : order) {
    Record record = sorted[i];
    if (kind == RowKind::kState && use_ == SegmentUse::kFinal) record.peer = LaneId::none();
    encoder.add(record, *out_);
  }
}

void LaneWriter::add(RowKind kind, std::span<const Record> sorted, bool is_last) {
  find_keys(kind, sorted);
  uint32_t most = static_cast<uint32_t>(open_.size());
  for (uint32_t key : keys_) most = std::max(most, key + 1);
  begins_.assign(most + 1, 0);
  for (uint32_t key : keys_) ++begins_[key + 1];
  for (uint32_t key = 0; key < most; ++key) begins_[key + 1] += begins_[key];
  order_.resize(sorted.size());
  for (uint32_t i = 0; i < sorted.size(); ++i) order_[begins_[keys_[i]]++] = i;

  const bool has_forest = use_ != SegmentUse::kRun;
  const bool is_only = is_last && open_.empty();
  if (!is_only) open_.resize(most);
  std::vector<uint32_t> types(variables_.size());
  for (const auto& [type, key] : variables_) types[key] = type;
  for (uint32_t key = 0; key < most; ++key) {
    const uint32_t begin = key == 0 ? 0 : begins_[key - 1];
    if (!is_only && !open_[key]) {
      open_[key] = std::make_unique<RowEncoder>();
      open_[key]->start(kind, has_forest);
    }
    if (is_only) single_.start(kind, has_forest);
    RowEncoder& encoder = is_only ? single_ : *open_[key];
    encode(encoder, kind, sorted, std::span(order_).subspan(begin, begins_[key] - begin));
    if (!is_last) continue;
    draft_->add(lane_, kind, !variables_.empty() ? types[key] : key, encoder.finish(*out_));
  }
  if (!is_last) return;
  open_.clear();
  variables_.clear();
  nesting_ = {};
}

}  // namespace weft::store
