// The scale of the bars in the overview and in the event density (commands/panel.cpp), an option of
// each such panel.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/base/json.h"
#include "app/session/choice.h"

namespace weft::app {

enum class DensityScale : uint8_t { kLinear, kRoot, kLogarithmic };
inline constexpr std::array<Choice, 3> kDensityScales = {
    {{"linear", "Linear"}, {"root", "By the square root"}, {"logarithmic", "Logarithmic"}}};

// The label beside the bars; none for the linear scale.
inline constexpr std::array<const char*, 3> kDensityScaleLabels = {"", "square root scale",
                                                                   "logarithmic scale"};

inline bool has_bars(std::string_view panel_kind) {
  return panel_kind == "overview" || panel_kind == "density";
}

inline DensityScale density_scale_of(const Json& options) {
  const Json chosen = options.value("scale", Json());
  for (size_t i = 0; i < kDensityScales.size(); ++i) {
    if (chosen == Json(kDensityScales[i].id)) return static_cast<DensityScale>(i);
  }
  return DensityScale::kLinear;
}

inline std::string density_scale_label(DensityScale scale) {
  return kDensityScaleLabels[static_cast<size_t>(scale)];
}

// The height of the bar for `events`, as a share of the height of the bar for `most`.
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
