#include "core/store/tail.h"

#include <algorithm>
#include <type_traits>

namespace weft::store {
namespace {
constexpr size_t kEventsPerTask = 16 << 10;  // lanes are handed out in batches of about this many
}

// A slab's bytes become records when they are written.
static_assert(std::is_trivially_copyable_v<Record>);

Record* Tail::take(uint32_t records) {
  if (left_in_slab_ < records) {
    if (used_slabs_ == slabs_.size())
      slabs_.push_back(std::make_unique_for_overwrite<std::byte[]>(kSlab * sizeof(Record)));
    ++used_slabs_;
    left_in_slab_ = kSlab;
  }
  auto* slab = reinterpret_cast<Record*>(slabs_[used_slabs_ - 1].get());
  Record* const taken = slab + (kSlab - left_in_slab_);
  left_in_slab_ -= records;
  return taken;
}

void Tail::grow(Group& group) {
  const bool is_first = group.last_piece == kNone;
  const uint32_t records =
      is_first ? kLeastPiece : std::min(2 * pieces_[group.last_piece].records, kMostPiece);
  group.next = take(records);
  group.end = group.next + records;
  group.taken += records;
  taken_ += records;
  const auto piece = static_cast<uint32_t>(pieces_.size());
  pieces_.push_back({group.next, records, kNone});
  (is_first ? group.first_piece : pieces_[group.last_piece].next) = piece;
  group.last_piece = piece;
}

const Tail::Group* Tail::find_group(size_t lane, size_t kind) const {
  const uint32_t number = numbers_[lane * kRowKindCount + kind];
  return number == kNone ? nullptr : &groups_[number];
}

uint64_t Tail::lane_size(size_t lane) const {
  uint64_t events = 0;
  for (size_t kind = 0; kind < kRowKindCount; ++kind) {
    if (const Group* group = find_group(lane, kind)) events += group->size();
  }
  return events;
}

void Tail::read(const Group& group, std::vector<Record>& out) const {
  out.clear();
  out.reserve(group.size());
  for (uint32_t i = group.first_piece; i != kNone; i = pieces_[i].next) {
    const Piece& piece = pieces_[i];
    const Record* const end = i == group.last_piece ? group.next : piece.begin + piece.records;
    out.insert(out.end(), piece.begin, end);
  }
}

void Tail::seal(SegmentUse use, ThreadPool& pool, FileEnd& file, SegmentDraft& draft) {
  const size_t lanes = numbers_.size() / kRowKindCount;
  std::vector<size_t> first_lanes = {0};
  uint64_t events = 0;
  for (size_t lane = 0; lane < lanes; ++lane) {
    events += lane_size(lane);
    if (events < kEventsPerTask && lane + 1 < lanes) continue;
    first_lanes.push_back(lane + 1);
    events = 0;
  }
  pool.for_each(first_lanes.size() - 1, [&](size_t task) {
    SlabWriter out(file);
    std::vector<Record> records;
    std::vector<Record> scratch;
    for (size_t lane = first_lanes[task]; lane < first_lanes[task + 1]; ++lane) {
      LaneWriter writer(LaneId(static_cast<uint32_t>(lane)), use, draft, out);
      for (size_t kind = 0; kind < kRowKindCount; ++kind) {
        const Group* group = find_group(lane, kind);
        if (group == nullptr) continue;
        read(*group, records);
        sort_records(records, static_cast<RowKind>(kind), scratch);
        writer.add(static_cast<RowKind>(kind), records, true);
      }
    }
  });
  clear();
}

void Tail::clear() {
  numbers_.clear();
  groups_.clear();
  pieces_.clear();
  used_slabs_ = left_in_slab_ = taken_ = 0;
}

}  // namespace weft::store
