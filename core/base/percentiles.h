// Percentiles of a few measured values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace weft {

struct Percentiles {
  double p50 = 0, p95 = 0, p99 = 0, max = 0;
};

// Those of the values nearest to each share; all 0 if there are none.
Percentiles percentiles_of(std::vector<double> values);

// The value in the middle, the larger of two; Value{} if there is none.
template <class Value>
Value median_of(std::vector<Value> values) {
  if (values.empty()) return {};
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace weft
