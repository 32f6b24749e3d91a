#include "core/layout/collapse.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft::layout {
namespace {

uint8_t pack(int fill, Mark mark) {
  return static_cast<uint8_t>(fill << 3 | static_cast<int>(mark) << 1);
}

Texel colored(Rgb rgb, int fill, Mark mark) {
  return {static_cast<uint8_t>(rgb >> 16), static_cast<uint8_t>(rgb >> 8 & 0xFF),
          static_cast<uint8_t>(rgb & 0xFF), pack(fill, mark)};
}

// Rounded up: what is busy at all shows.
int fill_of(double share) {
  return std::clamp(static_cast<int>(std::ceil(share * Texel::kFullFill)), 0, Texel::kFullFill);
}

}  // namespace

Duration wide_from(int level) {
  if (level < 0) return {1};
  int64_t ticks = 0;
  if (__builtin_mul_overflow(column_width(level).ticks, kWideColumns, &ticks)) {
    return {std::numeric_limits<int64_t>::max()};
  }
  return {ticks};
}

uint8_t ValueRange::byte_of(double value) const {
  if (max == min && !std::isnan(value)) return value > 0 ? 255 : 0;
  // Halves keep the difference of two large values finite.
  const double share = (value / 2 - min / 2) / (max / 2 - min / 2);
  if (std::isnan(share)) return 128;
  return static_cast<uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255));
}

Mark mark_of(const aggregate::Cell& cell) {
  if (cell.is_empty()) return Mark::kEmpty;
  // One that begins beside one that goes on is not an aggregate: the other was seen in its own
  // columns.
  if (cell.begins <= 1) return Mark::kLone;
  return cell.rest == 0 ? Mark::kSeveralOfOneType : Mark::kSeveralTypes;
}

Texel state_texel(const aggregate::Cell& cell, Duration width, Rgb color) {
  const Mark mark = mark_of(cell);
  if (mark == Mark::kEmpty) return {};
  const double busy = static_cast<double>(cell.busy) / static_cast<double>(width.ticks);
  const int fill = is_aggregate(mark) ? fill_of(busy) : Texel::kFullFill;
  return colored(color, fill, mark);
}

Texel punctual_texel(const aggregate::Cell& cell, const Palette& palette) {
  const Mark mark = mark_of(cell);
  if (mark == Mark::kEmpty) return {};
  // A lone tick is two thirds high; several rise above it by the logarithm of their count.
  constexpr int kLoneFill = 20;
  const int rise = std::max(0, static_cast<int>(std::bit_width(cell.begins)) - 1);
  const int fill = std::min(kLoneFill + rise, Texel::kFullFill);
  return colored(palette.color(cell.type), fill, mark);
}

Texel variable_texel(const aggregate::Cell& cell, double before, ValueRange range) {
  const Mark mark = mark_of(cell);
  if (mark == Mark::kEmpty || std::isnan(cell.min_value)) return {};
  uint8_t low = range.byte_of(cell.min_value), high = range.byte_of(cell.max_value);
  if (cell.begins > 0 && !std::isnan(before)) {
    low = std::min(low, range.byte_of(before));
    high = std::max(high, range.byte_of(before));
  }
  const uint8_t last = std::isnan(cell.last_value) ? 0 : range.byte_of(cell.last_value);
  return {low, high, last, pack(Texel::kFullFill, mark)};
}

}  // namespace weft::layout
