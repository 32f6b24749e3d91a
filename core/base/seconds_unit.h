// The units in which lengths of time are written, and which of them reads best.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

struct SecondsUnit {
  double seconds;  // from which length on it reads best
  int64_t per_second;
  std::string_view sign;
};
// The last one is for whatever is less.
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
