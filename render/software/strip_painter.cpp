#include "render/software/strip_painter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "render/look.h"

namespace weft::render {
namespace {

using layout::kTileColumns;
using layout::Texel;

// Indexed by (x & 3) and mark: the rows, modulo 4, on the pattern of strip.frag.
constexpr auto kPatterns = [] {
  std::array<std::array<uint32_t, 4>, 4> patterns{};
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) {
      const bool hatch = ((x + y) & 3) == 0, cross_hatch = ((x - y) & 3) == 0;
      if (hatch) patterns[x][2] |= 1u << y;
      if (hatch || cross_hatch) patterns[x][3] |= 1u << y;
    }
  }
  return patterns;
}();

// The first row whose centre is at most `height_px` above `bottom`.
int32_t row_at_height(float bottom, float height_px) {
  return static_cast<int32_t>(std::ceil(bottom - height_px - 0.5f));
}

// Texels as they lie in memory: red in the lowest byte, the bits in the highest.
constexpr uint32_t bits_of(uint32_t texel) { return texel >> 24; }
constexpr uint32_t mark_of(uint32_t texel) { return texel >> 25 & 3; }
constexpr bool is_edge(uint32_t texel) { return (texel >> 24 & 1) != 0; }

// Like ?:, but both values are there already: a mask instead of a branch.
inline uint32_t chosen(bool which, uint32_t if_true, uint32_t if_false) {
  return if_false ^ ((if_true ^ if_false) & (0u - static_cast<uint32_t>(which)));
}

// Marks an empty column, which leaves the background visible.
constexpr Color kNothing = 0;

// Heights of the lit part, by fill.
std::array<float, Texel::kFullFill + 1> lit_heights(float height) {
  std::array<float, Texel::kFullFill + 1> heights{};
  for (int fill = 0; fill <= Texel::kFullFill; ++fill) {
    heights[fill] = std::max(static_cast<float>(fill) * (1.0f / Texel::kFullFill) * height, 1.0f);
  }
  return heights;
}

}  // namespace

void StripPainter::Pixels::resize(size_t width) {
  for (auto* colors : {&lit, &shaded, &rest, &below, &pattern}) colors->resize(width);
  lit_from.resize(width);
  lit_to.resize(width);
}

StripPainter::StripPainter(Band& band) : band_(band) {
  const auto width = static_cast<size_t>(band.width());
  texels_.resize(width);
  in_column_px_.resize(width);
  pixels_.resize(width);
}

void StripPainter::paint(const Strip& strip, std::span<const Texel, kTileColumns> texels) {
  x_ = band_.columns(strip.x0, strip.x1);
  y_ = band_.rows(strip.y, strip.y + strip.height);
  if (x_.is_empty() || y_.is_empty()) return;
  look_up(strip, texels);
  switch (strip.mode) {
    case StripMode::kStates:
      prepare_states(strip);
      break;
    case StripMode::kPunctuals:
      prepare_punctuals(strip);
      break;
    case StripMode::kVariable:
      prepare_variable(strip);
      break;
  }
  fill_rows(strip.mode == StripMode::kVariable);
}

void StripPainter::look_up(const Strip& strip, std::span<const Texel, kTileColumns> texels) {
  const float per_px = (strip.column1 - strip.column0) / (strip.x1 - strip.x0);
  const float px_per_column = 1 / per_px;
  const float last = std::ceil(strip.column1) - 1 + 0.999f;
  for (int x = x_.begin; x < x_.end; ++x) {
    const float from_begin = static_cast<float>(x) + 0.5f - strip.x0;
    const float column = std::clamp(strip.column0 + from_begin * per_px, 0.0f, last);
    const int index = static_cast<int>(column);
    texels_[x - x_.begin] = std::bit_cast<uint32_t>(texels[index]);
    in_column_px_[x - x_.begin] = (column - static_cast<float>(index)) * px_per_column;
  }
}

void StripPainter::prepare_states(const Strip& strip) {
  const float bottom = strip.y + strip.height;
  std::array<int32_t, Texel::kFullFill + 1> lit_from{};
  const auto heights = lit_heights(strip.height);
  for (size_t i = 0; i < heights.size(); ++i) lit_from[i] = row_at_height(bottom, heights[i]);
  const Color background = strip.background | kOpaque;

  for (int i = 0; i < x_.end - x_.begin; ++i) {
    const uint32_t texel = texels_[i];
    const uint32_t mark = mark_of(texel);
    const Color color = texel | kOpaque;
    pixels_.lit[i] = mark == 0 ? kNothing : color;
    pixels_.shaded[i] = mixed(background, color, share_of(kPatternShade));
    pixels_.rest[i] = mixed(background, color, share_of(kRestShade));
    pixels_.lit_from[i] = mark == 0 ? y_.begin : lit_from[bits_of(texel) >> 3];
    pixels_.pattern[i] = kPatterns[(x_.begin + i) & 3][mark];
    if (is_edge(texel) && in_column_px_[i] < 1) {
      pixels_.lit[i] = mixed(0, color, share_of(kEdgeShade));
      pixels_.pattern[i] = 0;
    }
  }
}

void StripPainter::prepare_punctuals(const Strip& strip) {
  const float bottom = strip.y + strip.height;
  const auto heights = lit_heights(strip.height);
  const Color background = strip.background | kOpaque;
  for (int i = 0; i < x_.end - x_.begin; ++i) {
    const uint32_t texel = texels_[i];
    const uint32_t mark = mark_of(texel);
    const bool is_shown = mark != 0 && in_column_px_[i] < kThinPx;
    const Color color = texel | kOpaque;
    pixels_.lit[i] = is_shown ? color : kNothing;
    pixels_.shaded[i] = mixed(background, color, share_of(kPatternShade));
    pixels_.rest[i] = kNothing;
    pixels_.lit_from[i] = row_at_height(bottom, heights[bits_of(texel) >> 3]);
    pixels_.pattern[i] = is_shown ? kPatterns[(x_.begin + i) & 3][mark] : 0;
  }
}

void StripPainter::prepare_variable(const Strip& strip) {
  const float bottom = strip.y + strip.height;
  const float per_byte = (strip.height - kBandPx) / 255;
  const Color background = strip.background | kOpaque;
  for (int i = 0; i < x_.end - x_.begin; ++i) {
    const uint32_t texel = texels_[i];
    const uint32_t mark = mark_of(texel);
    const float strength = static_cast<float>(texel >> 27) * (1.0f / layout::Texel::kFullFill);
    const Color color = mixed(background, strip.color | kOpaque, share_of(strength));
    const auto value_px = [&](int shift) {
      return static_cast<float>(texel >> shift & 0xFF) * per_byte;
    };
    constexpr int kLow = 0, kHigh = 8, kLast = 16;
    const bool is_step = in_column_px_[i] < kThinPx;  // behind it, the last value holds
    pixels_.lit[i] = color;
    pixels_.shaded[i] = mixed(background, color, share_of(kPatternShade));
    pixels_.rest[i] = kNothing;
    pixels_.below[i] = mixed(background, color, share_of(kRestShade));
    pixels_.lit_from[i] =
        mark == 0 ? y_.end : row_at_height(bottom, value_px(is_step ? kHigh : kLast) + kBandPx);
    pixels_.lit_to[i] =
        mark == 0 ? y_.end : row_at_height(bottom, value_px(is_step ? kLow : kLast));
    pixels_.pattern[i] = is_step ? kPatterns[(x_.begin + i) & 3][mark] : 0;
  }
}

// No two arrays of the loop behind it overlap. (ASan makes no vectors, which Clang complains of.)
#if defined(__SANITIZE_ADDRESS__)
#define WEFT_NO_ALIASES
#elif defined(__clang__)
#define WEFT_NO_ALIASES _Pragma("clang loop vectorize(assume_safety)")
#else
#define WEFT_NO_ALIASES _Pragma("GCC ivdep")
#endif

// Choices by masks, without branches and without aliases: the compiler makes vectors of it.
void StripPainter::fill_rows(bool has_below) {
  const int width = x_.end - x_.begin;
  const uint32_t *lit = pixels_.lit.data(), *shaded = pixels_.shaded.data();
  const uint32_t *rest = pixels_.rest.data(), *below = pixels_.below.data();
  const uint32_t* pattern = pixels_.pattern.data();
  const int32_t *lit_from = pixels_.lit_from.data(), *lit_to = pixels_.lit_to.data();
  for (int y = y_.begin; y < y_.end; ++y) {
    uint32_t* out = band_.row(y) + x_.begin;
    const uint32_t phase = 1u << (y & 3);
    WEFT_NO_ALIASES
    for (int i = 0; i < width; ++i) {
      const uint32_t inside = chosen((pattern[i] & phase) != 0, shaded[i], lit[i]);
      const uint32_t color = chosen(y < lit_from[i], rest[i], inside);
      out[i] = chosen(color == kNothing, out[i], color);
    }
    if (!has_below) continue;
    WEFT_NO_ALIASES
    for (int i = 0; i < width; ++i) out[i] = chosen(y < lit_to[i], out[i], below[i]);
  }
}

}  // namespace weft::render
