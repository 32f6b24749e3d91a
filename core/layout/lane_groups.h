// Groups of lanes that the user has made, and the tree that the lanes form with them.
//
//   machine                 machine
//     process 12              ▾ mine            a group of lanes with one parent stands among its
//       thread 34               process 12      siblings, any other among the roots; always where
//     process 13                  thread 34     its first lane would stand
//     process 14                process 14
//                             process 13
//
// A group has an id like a lane, beyond all that a trace may have: it is folded, hidden, pinned and
// moved as a lane is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/strong_id.h"
#include "core/trace/model.h"

namespace weft::layout {

struct LaneGroup {
  uint32_t number = 0;  // of no other group
  std::string name;
  std::vector<LaneId> lanes;  // with what lies below them
  bool operator==(const LaneGroup&) const = default;
};

inline constexpr uint32_t kFirstGroup = 0x8000'0000;
inline constexpr uint32_t kMostGroups = 1'000;
inline LaneId id_of(const LaneGroup& group) { return LaneId(kFirstGroup + group.number); }
inline bool is_group(LaneId lane) { return lane.value() >= kFirstGroup && !lane.is_none(); }
inline bool has_lane(std::span<const LaneId> lanes, LaneId lane) {
  return std::ranges::find(lanes, lane) != lanes.end();
}
// Null: there is none of that id.
const LaneGroup* find_group(std::span<const LaneGroup> groups, LaneId id);

// Lanes and groups, with their parents. Made in O(lanes + groups); borrows both.
class LaneForest {
 public:
  // A lane that several groups have is in the first one. What is below a lane of a group is with
  // it, unless another group has it.
  LaneForest(const trace::Dictionary& dictionary, std::span<const LaneGroup> groups);

  // Parents before their children, in the trace's order; groups without lanes are left out.
  std::span<const LaneId> order() const { return order_; }
  // Numbers from 0: lanes first, then groups. slots(): there is no such lane or group.
  size_t slots() const { return parents_.size(); }
  size_t slot(LaneId lane) const;
  // None: it is a root, or not there.
  LaneId parent(LaneId lane) const;
  const std::string& name(LaneId lane) const;  // of one that is there
  // Those that are neither one of `lanes`, nor above one, nor below: of each of these the highest.
  // O(lanes).
  std::vector<LaneId> beside(std::span<const LaneId> lanes) const;

 private:
  // Which group each lane is in by itself; kNoGroup: in none.
  std::vector<size_t> members() const;
  void adopt(const std::vector<size_t>& group_of);

  static constexpr size_t kNoGroup = ~size_t{0};
  const trace::Dictionary& dictionary_;
  std::span<const LaneGroup> groups_;
  std::unordered_map<LaneId, size_t> slot_of_group_;
  std::vector<LaneId> parents_;  // by slot
  std::vector<LaneId> order_;
};

}  // namespace weft::layout
