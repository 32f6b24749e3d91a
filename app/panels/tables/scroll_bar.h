// A bar that scrolls: a thumb as long as what is seen of all, dragged by the mouse, exact in double
// at any length. It holds where it is gripped; where things are scrolled to is its owner's
// business.
#pragma once

#include <imgui.h>

#include <optional>

#include "app/base/area.h"

namespace weft::app {

class ScrollBar {
 public:
  static constexpr float kWidthPx = 12;  // as everywhere in the window

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
  // Draws it, where not all is seen, and says where it is scrolled to: within [0, all - seen].
  double draw(const Input& input, Scroll scroll);
  bool is_held() const { return grip_.has_value(); }

 private:
  Way way_;
  std::optional<float> grip_;  // where in the thumb it is held
};

}  // namespace weft::app
