#include "core/store/merge.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <tuple>
#include <vector>

namespace weft::store {
namespace {

// The sort key of a row's records across slices: see sort_records().
struct Place {
  int64_t begin;
  int64_t shorter;  // of states: the longer, the less; else 0
  auto operator<=>(const Place&) const = default;
};

// One row of a segment, read from its begin to its end.
class Part {
 public:
  Part(const Segment& segment, const SegmentRow& row) : rows_(segment, row) { find_next(); }

  uint64_t left() const { return rows_.count() - at_; }
  // The place of the next record, if there is one; that of the record `ahead` positions after it.
  Place place() const { return next_; }
  Place place(uint64_t ahead) const { return place_at(at_ + ahead); }

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
    find_next();
  }
  void find_next() {
    if (left() > 0) next_ = place_at(at_);
  }

  RowPart rows_;
  uint64_t at_ = 0;
  Place next_{};
};

// Reused pages are closer in the cache than fresh ones, so slices are small. But rows that stay
// open until the last slice cost more than they save if they are many.
constexpr uint64_t kNearSlice = 64 << 10;
constexpr uint64_t kDeep = 64;  // records of a slice for each row

struct RowOfSegment {
  const SegmentRow* row;
  const Segment* segment;
  uint32_t number;  // of the segment
};

// One lane's rows of one kind, together. Usually they follow each other in time, since segments are
// parts of a file: a slice asks those alone that have something before its end.
class LaneParts {
 public:
  explicit LaneParts(std::span<const RowOfSegment> rows) {
    for (const RowOfSegment& each : rows) {
      parts_.emplace_back(*each.segment, *each.row);
      left_ += parts_.back().left();
      if (parts_.back().left() > 0) waiting_.push_back(static_cast<uint32_t>(parts_.size() - 1));
    }
    std::ranges::stable_sort(waiting_, {}, place());
  }

  // Reads the next slice: every record before some place, or some at one. Returns false when none
  // are left. Where bytes are lost, what is left has no places: it is none.
  bool next(uint64_t records_per_slice, std::vector<Record>& out, bool& is_last) {
    if (left_ == 0) return false;
    out.clear();
    const auto end = left_ > records_per_slice ? end_of_slice(records_per_slice) : std::nullopt;
    is_last = !end;
    if (is_last) {
      for (Part& p : parts_) p.read_all(out);
      left_ = 0;
      return true;
    }
    const Place begin = parts_[waiting_.front()].place();
    const bool is_one_place = *end <= begin;
    const auto beyond = is_one_place ? std::ranges::upper_bound(waiting_, begin, {}, place())
                                     : std::ranges::lower_bound(waiting_, *end, {}, place());
    // Records of one place stay in the order of the segments.
    std::sort(waiting_.begin(), beyond);
    for (auto i = waiting_.begin(); i != beyond; ++i) {
      if (is_one_place) {
        parts_[*i].read_at(begin, records_per_slice - out.size(), out);
      } else {
        parts_[*i].read_before(*end, out);
      }
    }
    left_ -= out.size();
    is_last = out.empty();
    if (is_last) left_ = 0;
    put_back(static_cast<size_t>(beyond - waiting_.begin()));
    return true;
  }

 private:
  struct PlaceOf {
    const std::vector<Part>& parts;
    Place operator()(uint32_t part) const { return parts[part].place(); }
  };
  PlaceOf place() const { return {parts_}; }

  // A place before which there are as many records as a slice has, or fewer; nullopt: all of them.
  std::optional<Place> end_of_slice(uint64_t records_per_slice) const {
    std::optional<Place> end;
    // Where parts follow each other: whole ones, up to the begin of the first that is too much.
    uint64_t sum = 0;
    for (const uint32_t i : waiting_) {
      sum += parts_[i].left();
      if (sum > records_per_slice) {
        end = parts_[i].place();
        break;
      }
    }
    // Where they overlap: of so many parts as begin before the end, none has more than its share.
    for (size_t count = 1;; count *= 2) {
      count = std::min(count, waiting_.size());
      const uint64_t share = std::max<uint64_t>(1, records_per_slice / count);
      std::optional<Place> first;
      for (const uint32_t i : std::span(waiting_).first(count)) {
        if (parts_[i].left() <= share) continue;
        first = first ? std::min(*first, parts_[i].place(share)) : parts_[i].place(share);
      }
      const bool is_end =
          count == waiting_.size() || (first && *first <= parts_[waiting_[count]].place());
      if (is_end) return std::max(end, first);
    }
  }

  // Those of the first `count` that have something left go where they belong.
  void put_back(size_t count) {
    const auto read = waiting_.begin() + static_cast<ptrdiff_t>(count);
    const auto rest = std::stable_partition(waiting_.begin(), read,
                                            [&](uint32_t i) { return parts_[i].left() == 0; });
    std::ranges::stable_sort(rest, read, {}, place());
    std::ranges::inplace_merge(rest, read, waiting_.end(), {}, place());
    waiting_.erase(waiting_.begin(), rest);
  }

  std::vector<Part> parts_;
  std::vector<uint32_t> waiting_;  // parts that have records, by the place of the next
  uint64_t left_ = 0;              // records of all of them
};

// All rows, by lane and kind, those of a kind in the order of the segments.
LargeVector<RowOfSegment> rows_of(std::span<const std::shared_ptr<const Segment>> segments) {
  LargeVector<RowOfSegment> rows;
  size_t count = 0;
  for (const auto& segment : segments) count += segment->rows().size();
  rows.reserve(count);
  for (uint32_t i = 0; i < segments.size(); ++i)
    for (const SegmentRow& row : segments[i]->rows()) rows.push_back({&row, segments[i].get(), i});
  std::ranges::sort(rows, {}, [](const RowOfSegment& r) {
    return std::tuple(r.row->lane, r.row->kind, r.number, r.row);
  });
  return rows;
}

struct LaneRows {
  std::span<const RowOfSegment> rows;
  uint64_t records = 0;
};

// The longest first, so that the cores end together.
LargeVector<LaneRows> lanes_of(std::span<const RowOfSegment> rows) {
  LargeVector<LaneRows> lanes;
  while (!rows.empty()) {
    LaneRows lane;
    size_t size = 0;
    for (; size < rows.size() && rows[size].row->lane == rows.front().row->lane; ++size)
      lane.records += rows[size].row->records.rows;
    lane.rows = rows.first(size);
    rows = rows.subspan(size);
    lanes.push_back(lane);
  }
  std::ranges::sort(
      lanes, {}, [](const LaneRows& lane) { return std::tuple(~lane.records, lane.rows.data()); });
  return lanes;
}

void merge_lane(std::span<const RowOfSegment> rows, std::span<const ParamsChain::Move> moves,
                uint64_t records_per_slice, const FileEnd& file, LaneWriter& writer,
                std::atomic<uint64_t>& merged) {
  while (!rows.empty()) {
    const SegmentRow& first = *rows.front().row;
    size_t size = 1;
    while (size < rows.size() && rows[size].row->kind == first.kind) ++size;
    LaneParts parts(rows.first(size));
    rows = rows.subspan(size);
    bool is_last = false;
    const auto next_size = [&] {
      const bool is_deep = writer.open_rows() > kNearSlice / kDeep;
      return is_deep ? records_per_slice : std::min(records_per_slice, kNearSlice);
    };
    while (!file.has_failed() && parts.next(next_size(), writer.slice(), is_last)) {
      if (!moves.empty())
        for (Record& record : writer.slice()) record.params = moved(record.params, moves);
      merged += writer.slice().size();
      writer.add(first.lane, first.kind, is_last);
    }
  }
}

}  // namespace

void merge_segments(std::span<const std::shared_ptr<const Segment>> segments,
                    std::span<const ParamsChain::Move> moves, uint64_t records_at_once,
                    ThreadPool& pool, FileEnd& file, SegmentDraft& draft,
                    std::atomic<uint64_t>& merged) {
  constexpr uint64_t kFewest = 4096;
  const LargeVector<RowOfSegment> rows = rows_of(segments);
  const LargeVector<LaneRows> lanes = lanes_of(rows);
  const uint64_t writers = std::clamp<uint64_t>(lanes.size(), 1, pool.size());
  const uint64_t records_per_slice = std::max(kFewest, records_at_once / writers);
  for_each_lane(lanes.size(), SegmentUse::kFinal, pool, file, draft,
                [&](LaneWriter& writer, size_t i) {
                  merge_lane(lanes[i].rows, moves, records_per_slice, file, writer, merged);
                });
}

}  // namespace weft::store
