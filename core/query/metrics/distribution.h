// A distribution of values in little memory: exact while they are few, then counts in 32 bins for
// every power of two.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/query/metrics/log_bins.h"

namespace weft::query {

class Distribution {
 public:
  void add(int64_t value);
  void merge(const Distribution& other);

  uint64_t count() const { return count_; }
  // Meaningless if no value was added.
  int64_t least() const { return least_; }
  int64_t most() const { return most_; }
  // Returns the smallest value that at least `percent` % of the values do not exceed; exact, or too
  // large by at most 1/32 of itself.
  int64_t percentile(uint32_t percent) const;
  bool is_exact() const { return bins_.empty(); }

  // Bins of negative values have negative numbers: ~number is the bin of ~value.
  struct Bin {
    int64_t number = 0;
    uint64_t count = 0;
  };
  static int64_t least_of(int64_t number);
  static int64_t most_of(int64_t number);
  // Calls body(Bin) for each non-empty bin, in order.
  template <class Body>
  void for_each_bin(const Body& body) const {
    if (is_exact()) {
      Distribution binned = *this;
      binned.bin();
      return binned.for_each_bin(body);
    }
    for (size_t i = 0; i < bins_.size(); ++i) {
      if (bins_[i] > 0) body(Bin{first_bin_ + static_cast<int64_t>(i), bins_[i]});
    }
  }

 private:
  using Bins = LogBins<5>;
  static constexpr size_t kMostValues = 256;

  static int64_t bin_of(int64_t value);
  void bin();
  void add_to_bin(int64_t bin, uint64_t count);

  uint64_t count_ = 0;
  int64_t least_ = std::numeric_limits<int64_t>::max();
  int64_t most_ = std::numeric_limits<int64_t>::min();
  std::vector<int64_t> values_;  // while they are few
  std::vector<uint64_t> bins_;   // from first_bin_ on, once they are many
  int64_t first_bin_ = 0;
};

}  // namespace weft::query
