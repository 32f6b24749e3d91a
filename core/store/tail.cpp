#include "core/store/tail.h"

#include <algorithm>
#include <type_traits>

namespace weft::store {
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
  taken_ += records;
  const auto piece = static_cast<uint32_t>(pieces_.size());
  pieces_.push_back({group.next, records, kNone});
  (is_first ? group.first_piece : pieces_[group.last_piece].next) = piece;
  group.last_piece = piece;
}

void Tail::read(const Group& group, std::vector<Record>& out) const {
  out.clear();
  for (uint32_t i = group.first_piece; i != kNone; i = pieces_[i].next) {
    const Piece& piece = pieces_[i];
    const Record* const end = i == group.last_piece ? group.next : piece.begin + piece.records;
    out.insert(out.end(), piece.begin, end);
  }
}

void Tail::write(SegmentUse use, ThreadPool& pool, FileEnd& file, SegmentDraft& draft) const {
  const size_t lanes = numbers_.size() / kRowKindCount;
  for_each_lane(lanes, use, pool, file, draft, [&](LaneWriter& writer, size_t lane) {
    for (size_t kind = 0; kind < kRowKindCount; ++kind) {
      const uint32_t number = numbers_[lane * kRowKindCount + kind];
      if (number == kNone) continue;
      read(groups_[number], writer.slice());
      writer.add(LaneId(static_cast<uint32_t>(lane)), static_cast<RowKind>(kind), true);
    }
  });
}

void Tail::clear() {
  numbers_.clear();
  groups_.clear();
  pieces_.clear();
  used_slabs_ = left_in_slab_ = taken_ = 0;
}

}  // namespace weft::store
