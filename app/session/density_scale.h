// How high the bars of the overview and of the event density stand (commands/panel.cpp), kept among
// the options of each such panel.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/base/json.h"

namespace weft::app {

enum class DensityScale : uint8_t { kLinear, kRoot, kLogarithmic };
inline constexpr std::array<std::string_view, 3> kDensityScaleNames = {"linear", "root",
                                                                       "logarithmic"};
inline constexpr std::array<const char*, 3> kDensityScaleTitles = {"Linear", "By the square root",
                                                                   "Logarithmic"};

// What stands beside the bars; nothing where they are as high as what they count.
inline constexpr std::array<const char*, 3> kDensityScaleLabels = {"", "square root scale",
                                                                   "logarithmic scale"};

inline bool has_bars(std::string_view panel_kind) {
  return panel_kind == "overview" || panel_kind == "density";
}

inline DensityScale density_scale_of(const Json& options) {
  const Json chosen = options.value("scale", Json());
  for (size_t i = 0; i < kDensityScaleNames.size(); ++i) {
    if (chosen == Json(kDensityScaleNames[i])) return static_cast<DensityScale>(i);
  }
  return DensityScale::kLinear;
}

inline std::string density_scale_label(DensityScale scale) {
  return kDensityScaleLabels[static_cast<size_t>(scale)];
}

// Of the whole height, which `most` events have.
inline double height_share(uint64_t events, uint64_t most, DensityScale scale) {
  if (most == 0) return 0;
  const double share = static_cast<double>(events) / static_cast<double>(most);
  switch (scale) {
    case DensityScale::kLinear:
      return share;
    case DensityScale::kRoot:
      return std::sqrt(share);
    case DensityScale::kLogarithmic:
      break;
  }
  return std::log1p(static_cast<double>(events)) / std::log1p(static_cast<double>(most));
}

}  // namespace weft::app
