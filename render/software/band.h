// A band of an image's rows into which shapes are painted, clipped. A pixel belongs to a shape if
// its centre does, as in OpenGL.
#pragma once

#include <algorithm>
#include <cstdint>

#include "render/batch.h"
#include "render/png.h"

namespace weft::render {

inline constexpr Color kOpaque = 0xFF000000;

// Blends `share`/256 of `front` over `back`, opaque; two channels at a time.
constexpr Color mixed(Color back, Color front, uint32_t share) {
  const uint32_t rest = 256 - share;
  const uint32_t red_blue =
      ((front & 0xFF00FF) * share + (back & 0xFF00FF) * rest + 0x800080) >> 8 & 0xFF00FF;
  const uint32_t green =
      ((front & 0x00FF00) * share + (back & 0x00FF00) * rest + 0x008000) >> 8 & 0x00FF00;
  return red_blue | green | kOpaque;
}
constexpr uint32_t share_of(float share) { return static_cast<uint32_t>(share * 256 + 0.5f); }

class Band {
 public:
  // Rows [top, bottom) of the image, counted from the top.
  Band(Image& image, RowOrder order, int top, int bottom)
      : image_(image), order_(order), top_(top), bottom_(bottom) {}

  int width() const { return image_.width; }
  uint32_t* row(int y) {
    const int stored = order_ == RowOrder::kTopFirst ? y : image_.height - 1 - y;
    return image_.pixels.data() + static_cast<ptrdiff_t>(stored) * image_.width;
  }

  // The pixels whose centres lie in [low, high), clipped.
  struct Span {
    int begin, end;
    bool is_empty() const { return begin >= end; }
  };
  Span columns(float low, float high) const { return clip(low, high, 0, image_.width); }
  Span rows(float low, float high) const { return clip(low, high, top_, bottom_); }

  void clear(Color color) {
    for (int y = top_; y < bottom_; ++y) std::fill_n(row(y), image_.width, color | kOpaque);
  }

 private:
  static Span clip(float low, float high, int min, int max) {
    const auto first_centre = [&](float edge) {
      const float centre = edge - 0.5f;  // rounded up; std::ceil is a call on plain x86-64
      if (!(centre > static_cast<float>(min))) return min;
      if (centre >= static_cast<float>(max)) return max;
      const int down = static_cast<int>(centre);
      return static_cast<float>(down) < centre ? down + 1 : down;
    };
    return {first_centre(low), first_centre(high)};
  }

  Image& image_;
  RowOrder order_;
  int top_, bottom_;
};

}  // namespace weft::render
