// Colours of scheduler task states, the same in every format, 0xRRGGBB.
#pragma once

#include <cstdint>

namespace weft::trace {

inline constexpr uint32_t kRunsRgb = 0x3E9B5F;
inline constexpr uint32_t kCouldRunRgb = 0xC9A227;
inline constexpr uint32_t kWaitsRgb = 0x566174;
inline constexpr uint32_t kCannotBeWokenRgb = 0xB5523B;
inline constexpr uint32_t kIsStoppedRgb = 0x7A6C8F;
inline constexpr uint32_t kIsIdleRgb = 0x4B5A6B;
inline constexpr uint32_t kIsDeadRgb = 0x404650;

}  // namespace weft::trace
