#include "core/base/time_cuts.h"

#include <algorithm>
#include <utility>

namespace weft {

TimeCuts::TimeCuts(std::vector<TimeRange> cuts) : cuts_(std::move(cuts)) {
  int64_t removed = 0;
  for (const TimeRange& cut : cuts_) {
    removed_.push_back(removed);
    removed = saturating_add(removed, cut.length().ticks);
  }
  removed_.push_back(removed);
}

Time TimeCuts::folded(Time t) const {
  if (cuts_.empty()) return t;
  // The first that ends after t.
  const auto cut = std::ranges::upper_bound(cuts_, t, {}, &TimeRange::end);
  const Duration before{removed_[static_cast<size_t>(cut - cuts_.begin())]};
  const bool is_within = cut != cuts_.end() && cut->begin < t;
  return (is_within ? cut->begin : t) - before;
}

Time TimeCuts::unfolded(Time t) const {
  size_t low = 0, high = cuts_.size();
  while (low < high) {  // the first cut that lies after t
    const size_t middle = (low + high) / 2;
    const Time at = cuts_[middle].begin - Duration{removed_[middle]};
    (at <= t ? low : high) = at <= t ? middle + 1 : middle;
  }
  return cuts_.empty() ? t : t + Duration{removed_[low]};
}

Time TimeCuts::unfolded_end(Time t) const { return unfolded(t - Duration{1}) + Duration{1}; }

std::vector<TimeRange> TimeCuts::pieces(TimeRange range) const {
  std::vector<TimeRange> pieces;
  Time from = range.begin;
  auto cut = std::ranges::upper_bound(cuts_, range.begin, {}, &TimeRange::end);
  for (; cut != cuts_.end() && cut->begin < range.end; ++cut) {
    if (from < cut->begin) pieces.push_back({from, cut->begin});
    from = cut->end;
  }
  if (from < range.end) pieces.push_back({from, range.end});
  return pieces;
}

}  // namespace weft
