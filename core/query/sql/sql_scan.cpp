#include "core/query/sql/sql_scan.h"

#include <algorithm>

namespace weft::query {
namespace {

constexpr int64_t kLast = std::numeric_limits<int64_t>::max();

uint64_t first_behind(const store::RowPart& part, int64_t time) {
  return time == kLast ? part.count() : part.lower_bound(time + 1);
}

}  // namespace

PartScan::PartScan(const ScannedPart& part, const ScanBounds& bounds) : of_(part) {
  index_ = part.part->lower_bound(bounds.begin.least);
  if (part.row->kind == store::RowKind::kState) {
    // States of a row do not overlap: only the last one before that time can reach behind it.
    const uint64_t from_end = part.part->lower_bound(bounds.end.least);
    index_ = std::max(index_, from_end > 0 ? from_end - 1 : 0);
  }
  end_ = first_behind(*part.part, bounds.begin.most);
  read_on();
}

void PartScan::read_on() {
  read_.clear();
  at_ = 0;
  if (index_ >= end_) return;
  // To the end of the block, so that each block is decoded once.
  const uint64_t count = std::min(end_ - index_, store::kBlockRows - index_ % store::kBlockRows);
  of_.part->read(index_, count, read_);
  index_ += count;
}

void PartScan::settle(const ScanBounds& bounds) {
  const bool is_state = of_.row->kind == store::RowKind::kState;
  for (; !is_at_end(); next()) {
    const store::Record& r = record();
    if (!bounds.type.contains(r.type.value())) continue;
    if (is_state && !bounds.duration.contains(r.duration.ticks)) continue;
    if (is_state && !bounds.end.contains(r.end().ticks)) continue;
    return;
  }
}

}  // namespace weft::query
