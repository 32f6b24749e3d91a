// How columns, boxes and lines look: shared by the shaders (as #defines) and the software painter,
// whose pictures agree to within rounding.
#pragma once

namespace weft::render {

inline constexpr float kPatternShade = 0.70f;  // of the colour, where an aggregate's pattern is
inline constexpr float kRestShade =
    0.34f;  // of the colour, in the idle part of an aggregate's column
inline constexpr float kEdgeShade = 0.60f;  // of the colour, in the line where an element begins
inline constexpr float kThinPx = 2;         // width of an instant where columns are wide
inline constexpr float kBandPx = 2;         // height of a variable's band where it is flat
inline constexpr float kHeadHalfWidth = 0.45f;  // of an arrow head, in its lengths

}  // namespace weft::render
