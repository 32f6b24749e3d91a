// The sample rate in sigrok's files.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/formats/base/text.h"

namespace weft::formats::sigrok {

// Parses "1 MHz" or "24000000" into Hz; 0: neither.
inline uint64_t rate_of(std::string_view text) {
  const auto number = take_number<double>(text);
  const std::string_view unit = trimmed(text);
  constexpr double kMost = 1e12;
  double rate = number.value_or(0);
  for (const auto& [name, factor] :
       {std::pair("kHz", 1e3), std::pair("MHz", 1e6), std::pair("GHz", 1e9)})
    if (unit == name) rate *= factor;
  return rate >= 1 && rate <= kMost ? static_cast<uint64_t>(std::llround(rate)) : 0;
}

}  // namespace weft::formats::sigrok
