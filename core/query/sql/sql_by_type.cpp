#include "core/query/sql/sql_by_type.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft::query {

std::vector<uint32_t> type_places(const trace::Dictionary& dictionary, bool by_name) {
  std::vector<uint32_t> order(dictionary.types.size());
  std::iota(order.begin(), order.end(), 0);
  if (!by_name) return order;
  std::ranges::stable_sort(
      order, {}, [&](uint32_t type) -> std::string_view { return dictionary.types[type].name; });
  std::vector<uint32_t> places(order.size());
  for (uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  return places;
}

RecordsByType::RecordsByType(std::vector<ScannedPart> parts, const ScanBounds& bounds,
                             std::span<const uint32_t> places,
                             std::function<void(PartScan&)> settle, size_t most)
    : parts_(std::move(parts)),
      bounds_(&bounds),
      places_(places),
      settle_(std::move(settle)),
      most_(most),
      counts_(places_.size()) {
  scan_on([&](const PartScan& scan) {
    ++counts_[places_[scan.record().type.value()]];
    return true;
  });
  gather();
}

template <class Visit>
bool RecordsByType::scan_on(const Visit& visit) {
  for (; part_ < parts_.size(); ++part_, scan_.reset()) {
    if (!scan_) scan_.emplace(parts_[part_], *bounds_);
    for (settle_(*scan_); !scan_->is_at_end(); settle_(*scan_)) {
      const bool goes_on = visit(*scan_);
      scan_->next();
      if (!goes_on) return true;
    }
  }
  part_ = 0;
  return false;
}

void RecordsByType::gather() {
  kept_.clear();
  at_ = 0;
  while (kept_.empty() && (is_within_ || behind_ < counts_.size())) gather_next_types();
}

void RecordsByType::gather_next_types() {
  if (!is_within_) {
    first_ = behind_;
    uint64_t sum = counts_[behind_++];
    while (behind_ < counts_.size() && sum + counts_[behind_] <= most_) sum += counts_[behind_++];
    if (sum == 0) return;
  }
  const auto place_of = [&](const PartScan& scan) { return places_[scan.record().type.value()]; };
  const auto kept = [](const PartScan& scan) {
    return Kept{scan.record(), &scan.row(), scan.id()};
  };
  if (behind_ - first_ == 1) {
    is_within_ = scan_on([&](const PartScan& scan) {
      if (place_of(scan) == first_) kept_.push_back(kept(scan));
      return kept_.size() < most_;
    });
    return;
  }
  std::vector<uint64_t> ends;  // of what is there of each place
  uint64_t sum = 0;
  for (size_t place = first_; place < behind_; ++place) {
    ends.push_back(sum);
    sum += counts_[place];
  }
  kept_.resize(sum);
  scan_on([&](const PartScan& scan) {
    const size_t place = place_of(scan);
    if (place >= first_ && place < behind_) kept_[ends[place - first_]++] = kept(scan);
    return true;
  });
}

}  // namespace weft::query
