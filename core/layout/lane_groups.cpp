#include "core/layout/lane_groups.h"

#include <algorithm>

namespace weft::layout {

const LaneGroup* find_group(std::span<const LaneGroup> groups, LaneId id) {
  if (!is_group(id)) return nullptr;
  const auto found = std::ranges::find(groups, id.value() - kFirstGroup, &LaneGroup::number);
  return found == groups.end() ? nullptr : &*found;
}

LaneForest::LaneForest(const trace::Dictionary& dictionary, std::span<const LaneGroup> groups)
    : dictionary_(dictionary), groups_(groups), order_(dictionary.lanes_in_order()) {
  const size_t lanes = dictionary.lanes.size();
  parents_.assign(lanes + groups.size(), LaneId::none());
  for (size_t i = 0; i < lanes; ++i) {
    const LaneId parent = dictionary.lanes[i].parent;
    if (parent.value() < lanes) parents_[i] = parent;
  }
  for (size_t g = 0; g < groups.size(); ++g)
    slot_of_group_.try_emplace(id_of(groups[g]), lanes + g);
  if (!groups.empty()) adopt(members());
}

std::vector<size_t> LaneForest::members() const {
  std::vector<size_t> group_of(dictionary_.lanes.size(), kNoGroup);
  for (size_t g = groups_.size(); g-- > 0;) {  // the first one wins
    for (const LaneId lane : groups_[g].lanes) {
      if (lane.value() < group_of.size()) group_of[lane.value()] = g;
    }
  }
  // Below another lane of its group a lane stays where it is.
  std::vector<size_t> nearest = group_of;
  for (const LaneId lane : order_) {
    const LaneId parent = parents_[lane.value()];
    const size_t around = parent.is_none() ? kNoGroup : nearest[parent.value()];
    size_t& own = group_of[lane.value()];
    if (own == around) own = kNoGroup;
    if (own == kNoGroup) nearest[lane.value()] = around;
  }
  return group_of;
}

// The parents of a group are those of its lanes, where these agree: then it stands between them,
// and else among the roots. In both cases what was a forest still is one.
void LaneForest::adopt(const std::vector<size_t>& group_of) {
  const size_t lanes = dictionary_.lanes.size();
  std::vector<bool> is_placed(groups_.size());
  LargeVector<LaneId> order;
  order.reserve(order_.size() + groups_.size());
  for (const LaneId lane : order_) {
    const size_t g = group_of[lane.value()];
    if (g != kNoGroup && !is_placed[g]) {
      is_placed[g] = true;
      parents_[lanes + g] = parents_[lane.value()];
      order.push_back(id_of(groups_[g]));
    } else if (g != kNoGroup && parents_[lanes + g] != parents_[lane.value()]) {
      parents_[lanes + g] = LaneId::none();
    }
    order.push_back(lane);
  }
  order_ = std::move(order);
  for (size_t i = 0; i < lanes; ++i) {
    if (group_of[i] != kNoGroup) parents_[i] = id_of(groups_[group_of[i]]);
  }
}

size_t LaneForest::slot(LaneId lane) const {
  if (lane.value() < dictionary_.lanes.size()) return lane.value();
  const auto group = slot_of_group_.find(lane);
  return group == slot_of_group_.end() ? slots() : group->second;
}

LaneId LaneForest::parent(LaneId lane) const {
  const size_t at = slot(lane);
  return at < slots() ? parents_[at] : LaneId::none();
}

const std::string& LaneForest::name(LaneId lane) const {
  const size_t at = slot(lane), lanes = dictionary_.lanes.size();
  return at < lanes ? dictionary_.lanes[at].name : groups_[at - lanes].name;
}

std::vector<LaneId> LaneForest::beside(std::span<const LaneId> lanes) const {
  enum class Place : uint8_t { kBeside, kAbove, kWithin };  // of the lanes: them, and what is below
  std::vector<Place> places(slots(), Place::kBeside);
  for (const LaneId lane : lanes) {
    if (slot(lane) < slots()) places[slot(lane)] = Place::kWithin;
  }
  for (size_t i = order_.size(); i-- > 0;) {  // children before their parents
    const size_t above = slot(parent(order_[i]));
    if (above < slots() && places[slot(order_[i])] != Place::kBeside)
      places[above] = std::max(places[above], Place::kAbove);
  }
  std::vector<LaneId> others;
  for (const LaneId lane : order_) {  // parents before their children
    const bool is_root = parent(lane).is_none();
    const Place above = is_root ? Place::kAbove : places[slot(parent(lane))];
    Place& place = places[slot(lane)];
    if (above == Place::kWithin) place = Place::kWithin;
    if (above == Place::kAbove && place == Place::kBeside) others.push_back(lane);
  }
  return others;
}

}  // namespace weft::layout
