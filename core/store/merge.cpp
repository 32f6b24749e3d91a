#include "core/store/merge.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <ranges>

namespace weft::store {
namespace {

// What the records of a row are in order of, as far as slices go: see sort_records().
struct Place {
  int64_t begin;
  int64_t shorter;  // of states: the longer, the less; else 0
  auto operator<=>(const Place&) const = default;
};

// One row of a segment, read from its begin to its end.
class Part {
 public:
  Part(const Segment& segment, const SegmentRow& row) : rows_(segment, row) {}

  uint64_t left() const { return rows_.count() - at_; }
  // Of the record that is `ahead` of the next.
  Place place(uint64_t ahead = 0) const { return place_at(at_ + ahead); }

  // Reads what stands before a place; or, at most `most`, what stands at it.
  void read_before(Place end, std::vector<Record>& out) { read_to(first_from(end), out); }
  void read_at(Place place, uint64_t most, std::vector<Record>& out) {
    read_to(std::min(at_ + most, first_from(behind(place))), out);
  }
  void read_all(std::vector<Record>& out) { read_to(rows_.count(), out); }

 private:
  bool has_states() const { return rows_.row().kind == RowKind::kState; }

  Place place_at(uint64_t i) const {
    RecordCursor cursor(rows_.segment(), rows_.row().records);
    return {cursor.get(kBegin, i), has_states() ? -cursor.get(kDuration, i) : 0};
  }
  Place behind(Place place) const {
    if (has_states() && place.shorter < 0) return {place.begin, place.shorter + 1};
    return {saturating_add(place.begin, 1), INT64_MIN};
  }
  uint64_t first_from(Place place) const {
    const uint64_t first = rows_.lower_bound(place.begin);
    if (place.shorter == INT64_MIN) return first;
    const auto instant = std::views::iota(first, rows_.lower_bound(saturating_add(place.begin, 1)));
    return *std::ranges::lower_bound(instant, place, {},
                                     [this](uint64_t i) { return place_at(i); });
  }
  void read_to(uint64_t to, std::vector<Record>& out) {
    if (to <= at_) return;
    rows_.read(at_, to - at_, out);
    at_ = to;
  }

  RowPart rows_;
  uint64_t at_ = 0;
};

// The parts of one lane's rows of one kind.
class LaneParts {
 public:
  void add(const Segment& segment, const SegmentRow& row) { parts_.emplace_back(segment, row); }

  // Reads the next slice: every record before some place. False when none are left.
  bool next(uint64_t records_per_slice, std::vector<Record>& out, bool& is_last) {
    uint64_t left = 0;
    for (const Part& p : parts_) left += p.left();
    if (left == 0) return false;
    // No part has more than its share before the end of the slice.
    const uint64_t share = std::max<uint64_t>(1, records_per_slice / parts_.size());
    std::optional<Place> begin, end;
    for (const Part& p : parts_) {
      if (p.left() == 0 || left <= records_per_slice) continue;
      begin = begin ? std::min(*begin, p.place()) : p.place();
      if (p.left() > share) end = end ? std::min(*end, p.place(share)) : p.place(share);
    }
    is_last = !end;
    out.clear();
    if (is_last) {
      for (Part& p : parts_) p.read_all(out);
      return true;
    }
    if (*begin < *end) {
      for (Part& p : parts_) p.read_before(*end, out);
    } else {
      for (Part& p : parts_) p.read_at(*begin, records_per_slice - out.size(), out);
    }
    return true;
  }

 private:
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
