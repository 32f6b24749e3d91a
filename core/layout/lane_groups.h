// User-defined groups of lanes, and the tree of lanes and groups.
//
//   machine                 machine
//     process 12              ▾ mine            a group of lanes with one parent stands among its
//       thread 34               process 12      siblings, any other among the roots; always where
//     process 13                  thread 34     its first lane would stand
//     process 14                process 14
//                             process 13
//
// A group has a LaneId above all those of a trace, so it can be folded, hidden, pinned and moved
// like a lane.
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
  uint32_t number = 0;  // unique among groups
  std::string name;
  std::vector<LaneId> lanes;  // descendants come along
  bool operator==(const LaneGroup&) const = default;
};

inline constexpr uint32_t kFirstGroup = 0x8000'0000;
inline constexpr uint32_t kMostGroups = 1'000;
inline LaneId id_of(const LaneGroup& group) { return LaneId(kFirstGroup + group.number); }
inline bool is_group(LaneId lane) { return lane.value() >= kFirstGroup && !lane.is_none(); }
inline bool has_lane(std::span<const LaneId> lanes, LaneId lane) {
  return std::ranges::find(lanes, lane) != lanes.end();
}
// Returns null if there is no such group.
const LaneGroup* find_group(std::span<const LaneGroup> groups, LaneId id);

// The tree of lanes and groups. Made in O(lanes + groups); borrows both.
class LaneForest {
 public:
  // A lane listed in several groups belongs to the first. Descendants follow their lane, unless
  // another group lists them.
  LaneForest(const trace::Dictionary& dictionary, std::span<const LaneGroup> groups);

  // Parents before children, in the trace's order; empty groups are left out.
  std::span<const LaneId> order() const { return order_; }
  // Dense numbers of lanes, then of groups; slot() returns slots() for unknown ids.
  size_t slots() const { return parents_.size(); }
  size_t slot(LaneId lane) const;
  // none() for roots and unknown ids.
  LaneId parent(LaneId lane) const;
  const std::string& name(LaneId lane) const;  // for known ids only
  // Returns the topmost lanes and groups that are neither in `lanes` nor above or below any of
  // them. O(lanes).
  std::vector<LaneId> beside(std::span<const LaneId> lanes) const;

 private:
  // Returns the group that lists each lane itself, or kNoGroup.
  std::vector<size_t> members() const;
  void adopt(const std::vector<size_t>& group_of);

  static constexpr size_t kNoGroup = ~size_t{0};
  const trace::Dictionary& dictionary_;
  std::span<const LaneGroup> groups_;
  std::unordered_map<LaneId, size_t> slot_of_group_;
  std::vector<LaneId> parents_;  // by slot
  LargeVector<LaneId> order_;
};

}  // namespace weft::layout
