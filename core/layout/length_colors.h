// Colours of states by duration: a calm sequential scale, logarithmic in length, on which lightness
// alone shows which of two is longer. The longest stand out most, on dark and on light backgrounds.
#pragma once

#include <array>

#include "core/base/time.h"
#include "core/layout/palette.h"

namespace weft::layout {

class LengthColors {
 public:
  // The scale ends at the next round length at or above `longest`, and begins at a millionth of
  // that, but not below one tick. Shorter states get its first colour.
  LengthColors(Duration longest, Theme theme);

  Rgb color(Duration length) const;
  Duration from() const { return from_; }
  Duration to() const { return to_; }
  // Position of a length on the scale, 0…1.
  double place_of(Duration length) const;
  Duration length_at(double place) const;

  bool operator==(const LengthColors&) const = default;

 private:
  static constexpr size_t kSteps = 64;
  Duration from_, to_;
  std::array<Rgb, kSteps> colors_;
};

}  // namespace weft::layout
