// The look of columns, boxes and lines: shared by the shaders (as #defines) and the software
// painter, whose pictures agree to within rounding.
#pragma once

namespace weft::render {

inline constexpr float kPatternShade = 0.70f;  // colour factor in an aggregate's pattern
inline constexpr float kRestShade =
    0.34f;  // colour factor in the idle part of an aggregate's column
inline constexpr float kEdgeShade = 0.60f;  // colour factor of the line at an element's begin
inline constexpr float kTypePatternShade = 0.78f;  // colour factor in a type's pattern
inline constexpr float kPatternFromPx = 14;        // narrower boxes are plain
inline constexpr float kThinPx = 2;                // width of an instant where columns are wide
inline constexpr float kBandPx = 2;                // least height of a variable's band
inline constexpr float kHeadHalfWidth = 0.45f;     // of an arrow head, relative to its length

// Whether a pixel of the picture lies on a type's pattern (layout::Pattern), which repeats every
// kPatternPx; the same rule as in box.frag. Three rows of pixels suffice to tell patterns apart.
inline constexpr int kPatternPx = 8;
constexpr bool is_on_pattern(uint32_t pattern, int x, int y) {
  switch (pattern) {
    case 1:  // hatch
      return ((x + y) & 7) < 2;
    case 2:  // dots
      return ((x + (y & 4)) & 7) < 2 && (y & 3) < 2;
    case 3:  // cross
      return ((x + y) & 7) == 0 || ((x - y) & 7) == 0;
    case 4:  // stripes
      return (x & 7) < 2;
    default:
      return false;
  }
}

}  // namespace weft::render
