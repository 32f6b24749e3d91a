#include "core/store/merge.h"

#include <algorithm>
#include <functional>
#include <map>

namespace weft::store {
namespace {

// The parts of one lane's rows of one kind, each read from its begin to its end.
class LaneParts {
 public:
  void add(const Segment& segment, const SegmentRow& row) {
    parts_.push_back({RowPart(segment, row), 0});
  }

  // Reads the next slice: every record that begins before some time. False when none are left.
  bool next(uint64_t records_per_slice, std::vector<Record>& out, bool& is_last) {
    uint64_t left = 0;
    for (const Part& p : parts_) left += p.left();
    if (left == 0) return false;
    const int64_t end =
        left <= records_per_slice ? Time::max().ticks : slice_end(records_per_slice);
    is_last = end == Time::max().ticks;
    out.clear();
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
  // The longest first, so that the cores end together.
  std::ranges::sort(lanes, std::greater<>(), &Lane::records);
  for_each_lane(lanes.size(), SegmentUse::kFinal, pool, file, draft,
                [&](LaneWriter& writer, size_t i) {
                  std::vector<Record>& slice = writer.slice();
                  for (int k = 0; k < kRowKindCount; ++k) {
                    const auto kind = static_cast<RowKind>(k);
                    bool is_last = false;
                    while (lanes[i].kinds[k].next(records_per_slice, slice, is_last))
                      writer.add(lanes[i].id, kind, is_last);
                  }
                });
}

}  // namespace weft::store
