// Percentiles of a few measured values.
#pragma once

#include <vector>

namespace weft {

struct Percentiles {
  double p50 = 0, p95 = 0, p99 = 0, max = 0;
};

// Those of the values nearest to each share; all 0 if there are none.
Percentiles percentiles_of(std::vector<double> values);

}  // namespace weft
