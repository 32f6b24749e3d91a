// Paints strips of tiles into a band: the software counterpart of shaders/strip.frag.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/tile.h"
#include "render/batch.h"
#include "render/software/band.h"

namespace weft::render {

class StripPainter {
 public:
  explicit StripPainter(Band& band);
  void paint(const Strip& strip, std::span<const layout::Texel, layout::kTileColumns> texels);

 private:
  // One column of a strip's pixels, from top to bottom: `rest` down to row `lit_from`, then `lit`
  // (`shaded` on the pattern); for variables, from row `lit_to` on `below`.
  struct Pixels {
    std::vector<uint32_t> lit, shaded, rest, below;
    std::vector<int32_t> lit_from, lit_to;  // rows of the image
    std::vector<uint32_t> pattern;          // bit (y & 3) is set where the pattern is drawn
    void resize(size_t width);
  };

  void look_up(const Strip& strip, std::span<const layout::Texel, layout::kTileColumns> texels);
  void prepare_states(const Strip& strip);
  void prepare_punctuals(const Strip& strip);
  void prepare_variable(const Strip& strip);
  void fill_rows(bool has_below);

  Band& band_;
  Band::Span x_{}, y_{};
  std::vector<uint32_t> texels_;     // by pixel of the span
  std::vector<float> in_column_px_;  // distance from its column's begin
  Pixels pixels_;
};

}  // namespace weft::render
