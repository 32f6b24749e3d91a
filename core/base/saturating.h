// Arithmetic of 64-bit whole numbers that stops at their limits: hostile input gives an odd value,
// not an overflow.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>

namespace weft {

__extension__ using Wide = __int128;  // of all numbers of 64 bits, with or without sign

constexpr int64_t saturated(Wide number) {
  constexpr Wide kLeast = std::numeric_limits<int64_t>::min();
  constexpr Wide kMost = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(number < kLeast ? kLeast : number > kMost ? kMost : number);
}

constexpr int64_t saturating_add(int64_t a, int64_t b) {
  int64_t r = 0;
  if (!__builtin_add_overflow(a, b, &r)) return r;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}
constexpr int64_t saturating_sub(int64_t a, int64_t b) {
  int64_t r = 0;
  if (!__builtin_sub_overflow(a, b, &r)) return r;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// number * factor / divisor without the fraction; `number` has 66 bits at most, `divisor` is not 0.
constexpr int64_t saturating_scale(Wide number, int64_t factor, uint64_t divisor) {
  return saturated(number * factor / static_cast<Wide>(divisor));
}

// The nearest whole number. nullopt: it is beyond 64 bits, or there is none.
template <std::floating_point Real>
std::optional<int64_t> checked_round(Real number) {
  constexpr Real kEnd = static_cast<Real>(0x1p63L - 0.5L);  // of a double: 2^63
  if (!(number >= -0x1p63 && number < kEnd)) return std::nullopt;
  return std::llround(number);
}

// The nearest one of 64 bits; 0 of what is no number.
template <std::floating_point Real>
int64_t saturating_round(Real number) {
  if (const auto whole = checked_round(number)) return *whole;
  if (std::isnan(number)) return 0;
  return number < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

}  // namespace weft
