// Adds values up by group, for the metrics: a State of reduce().
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/query/link_ends.h"
#include "core/query/metrics.h"
#include "core/query/selection.h"

namespace weft::query {

// A group among those of one GroupBy: an id, or both lanes of a pair.
using GroupKey = uint64_t;
inline constexpr GroupKey kNoGroup = std::numeric_limits<GroupKey>::max();

inline GroupKey pair_key(LaneId source, LaneId target) {
  return GroupKey{target.value()} << 32 | source.value();
}
inline GroupKey group_of(GroupBy by, const store::Row& row, const store::Record& record) {
  if (by == GroupBy::kType) return record.type.value();
  if (by == GroupBy::kLane) return row.lane.value();
  if (!is_link(row.kind)) return kNoGroup;
  const LinkEnds ends = ends_of(row.kind, row.lane, record);
  return pair_key(ends.source, ends.target);
}
// Of a group that measuring has found.
inline GroupKey key_of(GroupBy by, const Group& group) {
  return by == GroupBy::kPair ? pair_key(LaneId(group.id), group.peer) : group.id;
}

// A value for each group: all types or lanes lie in an array, pairs come up as they are met.
template <class Value>
class GroupMap {
 public:
  GroupMap(const store::Trace& trace, GroupBy by, const Value& empty = {})
      : empty_(empty), is_open_(by == GroupBy::kPair) {
    if (is_open_) return;
    values_.resize(
        by == GroupBy::kType ? trace.dictionary().types.size() : trace.dictionary().lanes.size(),
        empty);
  }

  // Null where there is no such group.
  Value* find(GroupKey key) {
    if (!is_open_) return key < values_.size() ? &values_[key] : nullptr;
    const size_t* const at = index_.find(key);
    return at == nullptr ? nullptr : &values_[*at];
  }
  // Made where it is not there; the key is of a group.
  Value& at(GroupKey key) {
    if (!is_open_) return values_[key];
    const size_t at = index_.insert(key, values_.size());
    if (at == values_.size()) values_.push_back(empty_);
    return values_[at];
  }
  template <class Body>
  void for_each(const Body& body) const {
    if (is_open_) {
      for (const auto& [key, index] : index_.entries()) body(key, values_[index]);
    } else {
      for (size_t i = 0; i < values_.size(); ++i) body(GroupKey{i}, values_[i]);
    }
  }
  bool is_open() const { return is_open_; }

 private:
  Value empty_;
  bool is_open_;
  std::vector<Value> values_;
  FlatIndex<GroupKey, NumberHash> index_;  // of pairs
};

class Tally {
 public:
  Tally(const store::Trace& trace, GroupBy by)
      : groups_(trace, by,
                Group{.min = std::numeric_limits<int64_t>::max(),
                      .max = std::numeric_limits<int64_t>::min()}) {}

  void add(GroupKey key, int64_t value) {
    Group* const g = group(key);
    if (g == nullptr) return;
    ++g->count;
    g->total = saturating_add(g->total, value);
    g->min = std::min(g->min, value);
    g->max = std::max(g->max, value);
    ++histogram_[histogram_bin(value)];
  }

  // Takes what others did in the meantime off the group's own time.
  void take_off_self(GroupKey key, int64_t value) {
    if (Group* const g = groups_.find(key)) g->self = saturating_sub(g->self, value);
  }

  void merge(const Tally& other) {
    other.groups_.for_each([&](GroupKey key, const Group& o) {
      Group& g = groups_.at(key);
      g.count += o.count;
      g.total = saturating_add(g.total, o.total);
      g.self = saturating_add(g.self, o.self);
      g.min = std::min(g.min, o.min);
      g.max = std::max(g.max, o.max);
    });
    for (size_t i = 0; i < kHistogramBins; ++i) histogram_[i] += other.histogram_[i];
  }

  Statistics finish() && {
    Statistics result;
    groups_.for_each([&](GroupKey key, Group group) {
      group.id = static_cast<uint32_t>(key);
      if (groups_.is_open()) group.peer = LaneId(static_cast<uint32_t>(key >> 32));
      group.self = saturating_add(group.total, group.self);
      if (group.count == 0) return;
      result.sum += static_cast<double>(group.total);
      result.groups.push_back(group);
    });
    std::ranges::sort(result.groups, [](const Group& a, const Group& b) {
      if (a.total != b.total) return a.total > b.total;
      return std::pair(a.id, a.peer.value()) < std::pair(b.id, b.peer.value());
    });
    result.histogram = histogram_;
    return result;
  }

 private:
  Group* group(GroupKey key) {
    if (key == kNoGroup) return nullptr;
    return groups_.is_open() ? &groups_.at(key) : groups_.find(key);
  }

  GroupMap<Group> groups_;  // self: what to take off the total
  Histogram histogram_{};
};

}  // namespace weft::query
