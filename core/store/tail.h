// The growing end of a trace: events in memory, by lane and kind in order of arrival, until they
// are sealed into a segment.
//
// A lane's events of one kind lie in pieces that double in size up to kMostPiece records, cut from
// large slabs. The slabs survive clear(): fresh memory costs more than filling it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/thread_pool.h"
#include "core/store/lane_writer.h"
#include "core/store/slab_writer.h"
#include "core/store/trace.h"

namespace weft::store {

class Tail {
 public:
  void add(LaneId lane, RowKind kind, const Record& record) {
    Group& group = group_of(lane, kind);
    if (group.next == group.end) grow(group);
    *group.next++ = record;
  }
  // The number of events for which room is taken, i.e. what counts against the memory budget.
  size_t size() const { return taken_; }
  static constexpr size_t kBytesPerEvent = sizeof(Record);

  // Sorts, nests and encodes everything, lanes in parallel.
  void write(SegmentUse use, ThreadPool& pool, FileEnd& file, SegmentDraft& draft) const;
  void clear();

 private:
  static constexpr uint32_t kNone = ~0u;
  static constexpr uint32_t kLeastPiece = 4;
  static constexpr uint32_t kMostPiece = 256;
  static constexpr size_t kSlab = 16 << 10;  // records

  struct Piece {
    const Record* begin;
    uint32_t records;
    uint32_t next;  // the group's next piece, an index into pieces_
  };
  struct Group {
    Record* next = nullptr;  // where the next record goes, in the last piece
    Record* end = nullptr;
    uint32_t first_piece = kNone;
    uint32_t last_piece = kNone;
  };

  Group& group_of(LaneId lane, RowKind kind) {
    const size_t place = size_t{lane.value()} * kRowKindCount + static_cast<size_t>(kind);
    if (place >= numbers_.size())
      numbers_.resize(place - place % kRowKindCount + kRowKindCount, kNone);
    if (numbers_[place] == kNone) {
      numbers_[place] = static_cast<uint32_t>(groups_.size());
      groups_.emplace_back();
    }
    return groups_[numbers_[place]];
  }
  void grow(Group& group);
  Record* take(uint32_t records);
  void read(const Group& group, std::vector<Record>& out) const;

  LargeVector<uint32_t> numbers_;  // lane and kind → index into groups_
  LargeVector<Group> groups_;
  LargeVector<Piece> pieces_;
  std::vector<std::unique_ptr<std::byte[]>> slabs_;
  size_t used_slabs_ = 0;
  size_t left_in_slab_ = 0;
  size_t taken_ = 0;
};

}  // namespace weft::store
