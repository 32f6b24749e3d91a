#include "core/query/metrics/distribution.h"

#include <algorithm>

namespace weft::query {

int64_t Distribution::bin_of(int64_t value) {
  if (value < 0) return ~bin_of(~value);
  return static_cast<int64_t>(Bins::of(static_cast<uint64_t>(value)));
}

int64_t Distribution::least_of(int64_t bin) {
  if (bin < 0) return ~most_of(~bin);
  return static_cast<int64_t>(Bins::least(static_cast<size_t>(bin)));
}

int64_t Distribution::most_of(int64_t bin) {
  if (bin < 0) return ~least_of(~bin);
  return static_cast<int64_t>(Bins::most(static_cast<size_t>(bin)));
}

void Distribution::add(int64_t value) {
  ++count_;
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
  if (!is_exact()) return add_to_bin(bin_of(value), 1);
  values_.push_back(value);
  if (values_.size() > kMostValues) bin();
}

void Distribution::merge(const Distribution& other) {
  if (other.is_exact()) {
    for (const int64_t value : other.values_) add(value);
    return;
  }
  if (is_exact()) bin();
  count_ += other.count_;
  least_ = std::min(least_, other.least_);
  most_ = std::max(most_, other.most_);
  for (size_t i = 0; i < other.bins_.size(); ++i) {
    if (other.bins_[i] > 0) add_to_bin(other.first_bin_ + static_cast<int64_t>(i), other.bins_[i]);
  }
}

void Distribution::bin() {
  bins_.assign(1, 0);
  first_bin_ = values_.empty() ? 0 : bin_of(values_.front());
  for (const int64_t value : values_) add_to_bin(bin_of(value), 1);
  values_ = {};
}

void Distribution::add_to_bin(int64_t bin, uint64_t count) {
  if (bin < first_bin_) {
    bins_.insert(bins_.begin(), static_cast<size_t>(first_bin_ - bin), 0);
    first_bin_ = bin;
  }
  const auto at = static_cast<size_t>(bin - first_bin_);
  if (at >= bins_.size()) bins_.resize(at + 1);
  bins_[at] += count;
}

int64_t Distribution::percentile(uint32_t percent) const {
  const auto rank =
      static_cast<uint64_t>((static_cast<unsigned __int128>(count_) * percent + 99) / 100);
  if (is_exact()) {
    std::vector<int64_t> values = values_;
    const auto at = values.begin() + static_cast<ptrdiff_t>(std::max<uint64_t>(rank, 1) - 1);
    std::ranges::nth_element(values, at);
    return *at;
  }
  uint64_t passed = 0;
  for (size_t i = 0; i < bins_.size(); ++i) {
    passed += bins_[i];
    if (passed >= rank) return std::min(most_, most_of(first_bin_ + static_cast<int64_t>(i)));
  }
  return most_;
}

}  // namespace weft::query
