// Sums values by group, for the metrics; a State of reduce().
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/query/link_ends.h"
#include "core/query/metrics/metrics.h"
#include "core/query/selection.h"

namespace weft::query {

// The key of a group within one GroupBy: an id, or both lanes of a pair.
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
// Returns the key of a measured group.
inline GroupKey key_of(GroupBy by, const Group& group) {
  return by == GroupBy::kPair ? pair_key(LaneId(group.id), group.peer) : group.id;
}

// A value per group: types and lanes are indices of an array, pairs are added as they occur.
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

  // Returns null if there is no such group.
  Value* find(GroupKey key) {
    if (!is_open_) return key < values_.size() ? &values_[key] : nullptr;
    const size_t* const at = index_.find(key);
    return at == nullptr ? nullptr : &values_[*at];
  }
  // Returns the group's value, added if necessary; the key must be a group's.
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
  Tally(const store::Trace& trace, GroupBy by) : sums_(trace, by) {}

  void add(GroupKey key, int64_t value) {
    Sums* const s = find(key);
    if (s == nullptr) return;
    ++s->count;
    s->total = saturating_add(s->total, value);
    s->min = std::min(s->min, value);
    s->max = std::max(s->max, value);
    ++histogram_[histogram_bin(value)];
  }

  // Subtracts time of nested states from the group's self time.
  void take_off_self(GroupKey key, int64_t value) {
    if (Sums* const s = sums_.find(key)) s->of_others = saturating_add(s->of_others, value);
  }

  void merge(const Tally& other) {
    other.sums_.for_each([&](GroupKey key, const Sums& o) {
      Sums& s = sums_.at(key);
      s.count += o.count;
      s.total = saturating_add(s.total, o.total);
      s.of_others = saturating_add(s.of_others, o.of_others);
      s.min = std::min(s.min, o.min);
      s.max = std::max(s.max, o.max);
    });
    for (size_t i = 0; i < kHistogramBins; ++i) histogram_[i] += other.histogram_[i];
  }

  Statistics finish() && {
    Statistics result;
    sums_.for_each([&](GroupKey key, const Sums& s) {
      if (s.count == 0) return;
      result.sum += static_cast<double>(s.total);
      result.groups.push_back(
          {.id = static_cast<uint32_t>(key),
           .peer = sums_.is_open() ? LaneId(static_cast<uint32_t>(key >> 32)) : LaneId::none(),
           .count = s.count,
           .total = s.total,
           .min = s.min,
           .max = s.max,
           .self = saturating_sub(s.total, s.of_others)});
    });
    std::ranges::sort(result.groups, [](const Group& a, const Group& b) {
      if (a.total != b.total) return a.total > b.total;
      return std::pair(a.id, a.peer.value()) < std::pair(b.id, b.peer.value());
    });
    result.histogram = histogram_;
    return result;
  }

 private:
  // The sums of one group. Small: those of a thousand types stay in the L1 cache.
  struct Sums {
    uint64_t count = 0;
    int64_t total = 0;
    int64_t min = std::numeric_limits<int64_t>::max();
    int64_t max = std::numeric_limits<int64_t>::min();
    int64_t of_others = 0;  // part of the total
  };

  Sums* find(GroupKey key) {
    if (key == kNoGroup) return nullptr;
    return sums_.is_open() ? &sums_.at(key) : sums_.find(key);
  }

  GroupMap<Sums> sums_;
  Histogram histogram_{};
};

}  // namespace weft::query
