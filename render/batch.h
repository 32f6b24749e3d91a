// The shapes of a picture: plain lists of a few kinds, in pixels from the picture's top left.
//
// Filled by code that knows traces, drawn by a Renderer that does not. Drawing order: background,
// backdrops, strips, boxes, lines, markers. A batch is kept from frame to frame, so that its memory
// is reused.
#pragma once

#include <cstdint>
#include <vector>

#include "core/layout/palette.h"

namespace weft::render {

// Packed as ImGui's IM_COL32: red in the lowest byte, alpha in the highest.
using Color = uint32_t;
constexpr Color color_from_rgb(layout::Rgb rgb, uint8_t alpha = 255) {
  return (rgb >> 16 & 0xFF) | (rgb & 0xFF00) | (rgb & 0xFF) << 16 | Color{alpha} << 24;
}

// How a strip's texels are read; see layout::Texel.
enum class StripMode : uint32_t { kStates, kPunctuals, kVariable };

// A run of columns of one tile, drawn from the atlas.
struct Strip {
  float x0 = 0, x1 = 0, y = 0, height = 0;
  float column0 = 0, column1 = 0;  // columns of the tile at x0 and x1; may be fractions
  uint32_t slot = 0;               // in the atlas
  StripMode mode = StripMode::kStates;
  Color background = 0;  // behind the columns
  Color color = 0;       // variables: colour of the band
};

// A filled rectangle with a one-pixel darker line at its left edge if `has_edge`, and with a
// layout::Pattern unless it is narrower than kPatternFromPx.
struct BoxShape {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  Color color = 0;
  uint32_t has_edge = 0;
  uint32_t pattern = 0;
};

// A straight line; with `head_px` an arrow, whose head is at (x1, y1).
struct LineShape {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width = 1;
  float head_px = 0;
  Color color = 0;
};

// A diamond around its centre.
struct MarkerShape {
  float x = 0, y = 0, radius = 4;
  Color color = 0;
};

struct DrawBatch {
  Color background = 0;
  std::vector<BoxShape> backdrops;
  std::vector<Strip> strips;
  std::vector<BoxShape> boxes;
  std::vector<LineShape> lines;
  std::vector<MarkerShape> markers;

  void clear();
};

}  // namespace weft::render
