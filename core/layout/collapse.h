// THE collapse rule: maps what the aggregation tree says about a column to what is drawn.
//
// Drawing, hovering, picking and pictures read its results; nothing else decides what is merged.
//
//   a state at least kWideColumns columns long   a box with exact edges, drawn by itself
//   one narrow element in a column               drawn over the whole column, full height: it is
//                                                widened, but not called an aggregate
//   several, all of one type                     an aggregate: its height is the busy share
//   several, of several types                    an aggregate with a second pattern; its colour is
//                                                the dominant type's
//   a narrow state that goes on from the column before   its columns are filled like a lone element
//
// Pure functions over values; no store, no pixels, no allocation beyond the result.
#pragma once

#include <cstdint>

#include "core/aggregate/columns.h"
#include "core/base/time.h"
#include "core/layout/palette.h"
#include "core/layout/scale.h"

namespace weft::layout {

// States at least this many columns long are listed as boxes. 16 columns of 1 to 2 px: room for an
// exact edge and the first letters of a label; at most 120 boxes on 1920 px of one row, 24 000 on
// 200 rows, which llvmpipe still draws within a frame.
inline constexpr int kWideColumns = 16;
// The shortest duration that is drawn as a box at `level`.
Duration wide_from(int level);

// What a column shows.
enum class Mark : uint8_t { kEmpty, kLone, kSeveralOfOneType, kSeveralTypes };
constexpr bool is_aggregate(Mark mark) { return mark >= Mark::kSeveralOfOneType; }

// One column as the GPU reads it, four bytes:
//   states, punctual events   red, green, blue: the dominant type's colour
//   variables                 min, max and last value, 0…255 over the row's range
//   and in alpha              bits 7…3 fill (31 = full height; of variables: full colour) ·
//                             bits 2…1 Mark · bit 0 is_edge
struct Texel {
  uint8_t r = 0, g = 0, b = 0, a = 0;

  static constexpr int kFullFill = 31;
  constexpr int fill() const { return a >> 3; }
  constexpr Mark mark() const { return static_cast<Mark>((a >> 1) & 3); }
  // An element begins here and the column before is not empty: a line separates them.
  constexpr bool is_edge() const { return (a & 1) != 0; }
  constexpr bool operator==(const Texel&) const = default;
};
static_assert(sizeof(Texel) == 4);

// The value range of a variable's row, to which its values are scaled.
struct ValueRange {
  double min = 0, max = 0;
  // Scales a value to 0…255. Not-a-number gives the middle; in a constant row, positive values give
  // 255.
  uint8_t byte_of(double value) const;
};

// The rule itself. `width` is the column's in ticks.
Mark mark_of(const aggregate::Cell& cell);
Texel state_texel(const aggregate::Cell& cell, Duration width, Rgb color);
Texel punctual_texel(const aggregate::Cell& cell, const Palette& palette);
// `before` is the value carried in (not-a-number: none); the step from it is part of the band. A
// column without a value is empty.
Texel variable_texel(const aggregate::Cell& cell, double before, ValueRange range);

}  // namespace weft::layout
