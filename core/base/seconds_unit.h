// Units for durations, and the choice of the one that reads best.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

struct SecondsUnit {
  double seconds;  // the shortest duration to use it for
  int64_t per_second;
  std::string_view sign;
};
// In descending order; the last is for everything shorter.
inline constexpr SecondsUnit kSecondsUnits[] = {{1, 1, "s"},
                                                {1e-3, 1'000, "ms"},
                                                {1e-6, 1'000'000, "µs"},
                                                {1e-9, 1'000'000'000, "ns"},
                                                {0, 1'000'000'000'000, "ps"}};

constexpr SecondsUnit unit_for(double seconds) {
  const SecondsUnit* unit = kSecondsUnits;
  while (unit->seconds > 0 && seconds < unit->seconds) ++unit;
  return *unit;
}

}  // namespace weft
