#include "core/store/merge.h"

#include <algorithm>
#include <map>

namespace weft::store {
namespace {

constexpr uint64_t kRecordsPerTask = 16
                                     << 10;  // lanes are handed out in batches of about this many

// The parts of one lane's rows of one kind, each read from its begin to its end.
class LaneParts {
 public:
  void add(const Segment& segment, const SegmentRow& row) {
    parts_.push_back({RowPart(segment, row), 0});
  }

  // Reads the next slice: every record that begins before some time. False when none are left.
  bool next(uint64_t records_per_slice, std::vector<Record>& out, bool& is_last) {
    out.clear();
    uint64_t left = 0;
    for (const Part& p : parts_) left += p.left();
    if (left == 0) return false;
    const int64_t end =
        left <= records_per_slice ? Time::max().ticks : slice_end(records_per_slice);
    is_last = end == Time::max().ticks;
    for (Part& p : parts_) {
      const uint64_t to = is_last ? p.rows.count() : std::max(p.at, p.rows.lower_bound(end));
      p.rows.read(p.at, to - p.at, out);
      p.at = to;
    }
    return true;
  }

 private:
  struct Part {
    RowPart rows;
    uint64_t at;
    uint64_t left() const { return rows.count() - at; }
    int64_t begin(uint64_t i) const {
      RecordCursor cursor(rows.segment(), rows.row().records);
      return cursor.get(kBegin, i);
    }
  };

  // A time before which no part has more than its share, and some part has all of it.
  int64_t slice_end(uint64_t records_per_slice) const {
    const uint64_t share = std::max<uint64_t>(1, records_per_slice / parts_.size());
    int64_t end = Time::max().ticks;
    int64_t begin = Time::max().ticks;
    for (const Part& p : parts_) {
      if (p.left() == 0) continue;
      begin = std::min(begin, p.begin(p.at));
      if (p.left() > share) end = std::min(end, p.begin(p.at + share));
    }
    return std::max(end, saturating_add(begin, 1));  // records of one instant stay together
  }

  std::vector<Part> parts_;
};

struct Lane {
  LaneId id;
  uint64_t records = 0;
  LaneParts kinds[kRowKindCount];
};

std::vector<Lane> lanes_of(std::span<const std::shared_ptr<const Segment>> segments) {
  std::map<LaneId, Lane> lanes;
  for (const auto& segment : segments) {
    for (const SegmentRow& row : segment->rows()) {
      Lane& lane = lanes[row.lane];
      lane.id = row.lane;
      lane.records += row.records.rows;
      lane.kinds[static_cast<int>(row.kind)].add(*segment, row);
    }
  }
  std::vector<Lane> list;
  list.reserve(lanes.size());
  for (auto& [id, lane] : lanes) list.push_back(std::move(lane));
  return list;
}

}  // namespace

void merge_segments(std::span<const std::shared_ptr<const Segment>> segments,
                    uint64_t records_per_slice, ThreadPool& pool, FileEnd& file,
                    SegmentDraft& draft) {
  std::vector<Lane> lanes = lanes_of(segments);
  std::vector<size_t> first_lanes = {0};
  uint64_t records = 0;
  for (size_t i = 0; i < lanes.size(); ++i) {
    records += lanes[i].records;
    if (records < kRecordsPerTask && i + 1 < lanes.size()) continue;
    first_lanes.push_back(i + 1);
    records = 0;
  }
  pool.for_each(first_lanes.size() - 1, [&](size_t task) {
    SlabWriter out(file);
    std::vector<Record> slice;
    std::vector<Record> scratch;
    for (size_t i = first_lanes[task]; i < first_lanes[task + 1]; ++i) {
      LaneWriter writer(lanes[i].id, SegmentUse::kFinal, draft, out);
      for (int kind = 0; kind < kRowKindCount; ++kind) {
        bool is_last = false;
        while (lanes[i].kinds[kind].next(records_per_slice, slice, is_last)) {
          sort_records(slice, static_cast<RowKind>(kind), scratch);
          writer.add(static_cast<RowKind>(kind), slice, is_last);
        }
      }
    }
  });
}

}  // namespace weft::store
