#include "core/base/percentiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace weft {

Percentiles percentiles_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return values[static_cast<size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  };
  return {at(0.5), at(0.95), at(0.99), values.back()};
}

}  // namespace weft
