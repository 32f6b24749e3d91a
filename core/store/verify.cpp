#include <fmt/core.h>

#include <algorithm>

#include "core/store/id_zones.h"
#include "core/store/segment.h"
#include "core/store/totals.h"
#include "core/store/trace.h"
#include "core/trace/message_id.h"

namespace weft::store {
namespace {

Status verify_records(const RowPart& part, Totals& totals) {
  const SegmentRow& row = part.row();
  std::vector<Record> records;
  int64_t previous_begin = row.first_begin;
  int64_t previous_end = Time::min().ticks;
  int64_t busy = 0;
  for (uint64_t at = 0; at < part.count(); at += kBlockRows) {
    records.clear();
    part.read(at, kBlockRows, records);
    totals.add(row.kind, records);
    for (const Record& r : records) {
      if (r.begin.ticks < previous_begin)
        return fail(fmt::format("record {} begins before the one before it", at));
      if (row.kind == RowKind::kState && (r.duration.ticks < 0 || r.begin.ticks < previous_end)) {
        return fail(fmt::format("states overlap in the block of record {}", at));
      }
      previous_begin = r.begin.ticks;
      previous_end = r.end().ticks;
      busy = saturating_add(busy, r.duration.ticks);
    }
  }
  if (previous_begin != row.last_begin) return fail("last begin disagrees");
  if (busy != row.busy) return fail("busy time disagrees");
  return {};
}

// Every node against the records or nodes that it summarises.
Status verify_list(const RowPart& part, uint32_t level) {
  const SegmentRow& row = part.row();
  const Segment& segment = part.segment();
  NodeReader nodes(segment, row, level);
  const uint64_t below = level == 0 ? part.count() : segment.list(row, level - 1).rows;
  std::vector<Record> records;
  std::vector<Node> children;
  uint64_t expected = 0;
  for (uint64_t i = 0; i < nodes.rows(); ++i) {
    const Node node = nodes.read(i);
    const uint64_t end = nodes.child_end(i);
    const uint64_t most = level == 0 ? kLeafRecords : kFanOut;
    if (node.child != expected || end <= node.child || end > below || end - node.child > most) {
      return fail(fmt::format("node {} of list {} has children out of order", i, level));
    }
    expected = end;
    Node made;
    if (level == 0) {
      records.clear();
      part.read(node.child, end - node.child, records);
      made = leaf_of(records, row.kind);
    } else {
      children.clear();
      NodeReader lower(segment, row, level - 1);
      for (uint64_t c = node.child; c < end; ++c) children.push_back(lower.read(c));
      made = merge_of(children, row.kind);
    }
    if (made.count != node.count || made.busy != node.busy ||
        made.first_begin != node.first_begin || made.last_begin != node.last_begin ||
        made.type != node.type || made.share != node.share) {
      return fail(fmt::format("node {} of list {} disagrees with what it summarises", i, level));
    }
  }
  if (expected != below) return fail(fmt::format("list {} does not cover the one below it", level));
  return {};
}

// The ids that a zone says it may hold, against the messages' own.
Status verify_id_zones(const Trace& trace, const RowPart& part) {
  if (part.row().id_zones_at == 0) return {};
  std::vector<Record> records;
  for (uint64_t at = 0; at < part.count(); at += kIdZoneRecords) {
    records.clear();
    part.read(at, std::min(kIdZoneRecords, part.count() - at), records);
    const IdZone zone = part.id_zone(at / kIdZoneRecords);
    for (const Record& r : records) {
      if (!counts_message(part.row().kind, r)) continue;
      const auto id = trace::message_id(trace.params(r.params).json);
      if (id && !zone.may_hold(*id)) return fail(fmt::format("message {} is not in its zone", *id));
    }
  }
  return {};
}

}  // namespace

Status Trace::verify() const {
  for (const auto& segment : segments_) WEFT_TRY(segment->verify_pages());
  Totals totals{totals_->level, totals_->first, std::vector<uint64_t>(totals_->counts.size())};
  for (const Row& row : rows_) {
    for (const RowPart& part : row.parts) {
      Status status = verify_records(part, totals);
      if (status) status = verify_id_zones(*this, part);
      for (uint32_t level = 0; status && level < part.row().lists; ++level)
        status = verify_list(part, level);
      if (!status) {
        const std::string where =
            fmt::format("row {} of lane {}", part.row().key, dictionary_->path_text(row.lane));
        return fail(std::move(status).error().context(where));
      }
    }
  }
  if (totals != *totals_) return fail("totals disagree with the events");
  return health();
}

}  // namespace weft::store
