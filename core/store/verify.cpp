#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/store/forest.h"
#include "core/store/id_zones.h"
#include "core/store/segment.h"
#include "core/store/totals.h"
#include "core/store/trace.h"
#include "core/trace/message_id.h"

namespace weft::store {
namespace {

// What the records of a trace, or of a row, come to.
struct Sums {
  trace::Counts counts;
  int64_t first_begin = Time::max().ticks;
  int64_t last_begin = Time::min().ticks;
  int64_t last_end = Time::min().ticks;  // as rows say it: links end where they take their time to
  int64_t last_instant = Time::min().ticks;  // of what happens
  int64_t busy = 0;
  double min_value = std::numeric_limits<double>::quiet_NaN();
  double max_value = std::numeric_limits<double>::quiet_NaN();

  void add(const Record& record, RowKind kind) {
    // A link stands where it is sent and where it is received.
    const bool is_counted = kind != RowKind::kLinkIn || record.peer.is_none();
    counts[category_of(kind)] += is_counted ? 1 : 0;
    first_begin = std::min(first_begin, record.begin.ticks);
    last_begin = record.begin.ticks;
    last_end = std::max({last_end, record.begin.ticks, record.end().ticks});
    last_instant =
        std::max(last_instant, kind == RowKind::kState ? record.end().ticks : record.begin.ticks);
    busy = saturating_add(busy, record.duration.ticks);
    min_value = lesser_value(min_value, record.value);
    max_value = greater_value(max_value, record.value);
  }
  void add(const Sums& row) {
    for (int i = 0; i < trace::kCategoryCount; ++i)
      counts.by_category[i] += row.counts.by_category[i];
    first_begin = std::min(first_begin, row.first_begin);
    last_instant = std::max(last_instant, row.last_instant);
  }
};

// Whether both are the same number, or none.
bool are_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

Status verify_records(const RowPart& part, Totals& totals, Sums& sums) {
  const SegmentRow& row = part.row();
  std::vector<Record> records;
  Sums own;
  int64_t previous_end = Time::min().ticks;
  for (uint64_t at = 0; at < part.count(); at += kBlockRows) {
    records.clear();
    part.read(at, kBlockRows, records);
    totals.add(row.kind, records);
    for (const Record& r : records) {
      if (r.begin.ticks < own.last_begin)
        return fail(fmt::format("record {} begins before the one before it", at));
      if (row.kind == RowKind::kState && (r.duration.ticks < 0 || r.begin.ticks < previous_end)) {
        return fail(fmt::format("states overlap in the block of record {}", at));
      }
      previous_end = r.end().ticks;
      own.add(r, row.kind);
    }
  }
  if (own.first_begin != row.first_begin) return fail("first begin disagrees");
  if (own.last_begin != row.last_begin) return fail("last begin disagrees");
  if (own.last_end != row.last_end) return fail("last end disagrees");
  if (own.busy != row.busy) return fail("busy time disagrees");
  if (has_values(row.kind) &&
      !(are_same(own.min_value, row.min_value) && are_same(own.max_value, row.max_value)))
    return fail("the range of values disagrees");
  sums.add(own);
  return {};
}

// Beside their places in the tree.
bool are_same(const Node& a, const Node& b) {
  const auto numbers = [](const Node& n) {
    return std::tuple(n.count, n.first_begin, n.last_begin, n.last_duration, n.busy, n.longest,
                      n.type, n.share, n.rest);
  };
  return numbers(a) == numbers(b) && are_same(a.min_value, b.min_value) &&
         are_same(a.max_value, b.max_value) && are_same(a.last_value, b.last_value);
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
    if (!are_same(made, node)) {
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
  Sums sums;
  for (const Row& row : rows_) {
    for (const RowPart& part : row.parts) {
      Status status = verify_records(part, totals, sums);
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
  if (sums.counts != counts_) return fail("the number of events disagrees with the rows");
  const bool has_events = counts_.total() > 0;
  if (has_events &&
      (range_.begin.ticks != sums.first_begin || range_.end.ticks < sums.last_instant))
    return fail("begin or end disagrees with the events");
  return health();
}

}  // namespace weft::store
