// A scroll bar: its thumb is as long as the visible part of the whole, is dragged by the mouse, and
// is exact (double) at any length. It keeps where it is gripped; the scroll position belongs to its
// owner.
#pragma once

#include <imgui.h>

#include <optional>

#include "app/base/area.h"

namespace weft::app {

class ScrollBar {
 public:
  static constexpr float kWidthPx = 12;  // as in all of the window

  enum class Way { kDown, kSideways };
  struct Input {
    Area area;
    float scale;
    ImU32 color;
    bool can_hover;  // nothing lies above it
  };
  struct Scroll {
    double at, seen, all;  // in any unit
  };

  explicit ScrollBar(Way way) : way_(way) {}
  // Draws the bar unless everything is visible. Returns the new position, within [0, all - seen].
  double draw(const Input& input, Scroll scroll);
  bool is_held() const { return grip_.has_value(); }

 private:
  Way way_;
  std::optional<float> grip_;  // where the thumb is held
};

}  // namespace weft::app
