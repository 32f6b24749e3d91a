// Colours of states by how long they take: one calm sequential scale, logarithmic, on which
// lightness alone says which of two is longer. The longest is what stands out most, on dark and on
// light ground.
#pragma once

#include <array>

#include "core/base/time.h"
#include "core/layout/palette.h"

namespace weft::layout {

class LengthColors {
 public:
  // The scale ends at the next round length from `longest` on, and begins a millionth below it, but
  // not below a tick: what is shorter has its first colour.
  LengthColors(Duration longest, Theme theme);

  Rgb color(Duration length) const;
  Duration from() const { return from_; }
  Duration to() const { return to_; }
  // Where the length lies on the scale, 0…1.
  double place_of(Duration length) const;
  Duration length_at(double place) const;

  bool operator==(const LengthColors&) const = default;

 private:
  static constexpr size_t kSteps = 64;
  Duration from_, to_;
  std::array<Rgb, kSteps> colors_;
};

}  // namespace weft::layout
