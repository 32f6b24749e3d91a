// Adds values up by group, for the metrics: a State of reduce().
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/query/metrics.h"

namespace weft::query {

class Tally {
 public:
  // The groups are all types or all lanes of the trace.
  Tally(const store::Trace& trace, GroupBy by)
      : groups_(by == GroupBy::kType ? trace.dictionary().types.size()
                                     : trace.dictionary().lanes.size(),
                Group{.min = std::numeric_limits<int64_t>::max(),
                      .max = std::numeric_limits<int64_t>::min()}) {}

  void add(uint32_t group, int64_t value) {
    if (group >= groups_.size()) return;
    Group& g = groups_[group];
    ++g.count;
    g.total = saturating_add(g.total, value);
    g.min = std::min(g.min, value);
    g.max = std::max(g.max, value);
    ++histogram_[histogram_bin(value)];
  }

  // Takes what others did in the meantime off the group's own time.
  void take_off_self(uint32_t group, int64_t value) {
    if (group < groups_.size()) groups_[group].self = saturating_sub(groups_[group].self, value);
  }

  void merge(const Tally& other) {
    for (size_t i = 0; i < groups_.size(); ++i) {
      Group& g = groups_[i];
      const Group& o = other.groups_[i];
      g.count += o.count;
      g.total = saturating_add(g.total, o.total);
      g.self = saturating_add(g.self, o.self);
      g.min = std::min(g.min, o.min);
      g.max = std::max(g.max, o.max);
    }
    for (size_t i = 0; i < kHistogramBins; ++i) histogram_[i] += other.histogram_[i];
  }

  Statistics finish() && {
    Statistics result;
    for (uint32_t i = 0; i < groups_.size(); ++i) {
      groups_[i].id = i;
      groups_[i].self = saturating_add(groups_[i].total, groups_[i].self);
      if (groups_[i].count == 0) continue;
      result.sum += static_cast<double>(groups_[i].total);
      result.groups.push_back(groups_[i]);
    }
    std::ranges::stable_sort(result.groups, std::ranges::greater{}, &Group::total);
    result.histogram = histogram_;
    return result;
  }

 private:
  std::vector<Group> groups_;  // self: what to take off the total
  Histogram histogram_{};
};

inline uint32_t group_of(GroupBy by, const store::Row& row, const store::Record& record) {
  return by == GroupBy::kType ? record.type.value() : row.lane.value();
}

}  // namespace weft::query
