// The appearance that the user has chosen for all panels. Pixels are logical.
#pragma once

#include <memory>

#include "app/base/time_display.h"
#include "app/view/named_colors.h"
#include "core/base/value_text.h"
#include "core/layout/palette.h"

namespace weft::app {

inline constexpr double kLeastRowPx = 3;
inline constexpr double kMostRowPx = 60;

struct Look {
  layout::Theme theme = layout::Theme::kDark;
  bool has_safe_colors = false;     // colours that everybody can tell apart
  bool has_patterns = false;        // states have patterns besides colours
  bool colors_by_duration = false;  // states are coloured by duration, not by type
  bool shows_links = true;
  Radix radix = Radix::kHexadecimal;  // how values of buses are written
  // By name; never null, replaced by another map with every change.
  std::shared_ptr<const NamedColors> type_colors = std::make_shared<const NamedColors>();
  std::shared_ptr<const NamedColors> lane_colors = std::make_shared<const NamedColors>();
  TimeDisplay time_display;
  double font_scale = 1;  // applied on top of the display's scale
  double row_height_px = 18;
  double gutter_px = 240;  // width of the column left of all time axes
};

}  // namespace weft::app
