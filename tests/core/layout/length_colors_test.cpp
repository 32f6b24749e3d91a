// covers FS-33
#include "core/layout/length_colors.h"

#include <gtest/gtest.h>

#include "tests/core/layout/plain_cells.h"

namespace weft::layout {
namespace {

Rgb color_of(const Texel& texel) { return Rgb{texel.r} << 16 | Rgb{texel.g} << 8 | texel.b; }

TEST(LengthColors, TheLongerAStateTheMoreItStandsOut) {
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    const LengthColors colors(Duration{700'000'000}, theme);
    double before = 1;
    for (int64_t ticks = 1000; ticks <= 1'000'000'000; ticks *= 10) {
      const double now = contrast(colors.color(Duration{ticks}), theme_colors(theme).row);
      EXPECT_GT(now, before) << ticks;
      before = now;
    }
  }
}

TEST(LengthColors, TheScaleEndsAtARoundLengthAndBeginsAMillionthBelow) {
  const LengthColors colors(Duration{700'000'000}, Theme::kDark);
  EXPECT_EQ(colors.to(), Duration{1'000'000'000});
  EXPECT_EQ(colors.from(), Duration{1000});
  EXPECT_EQ(colors.color(Duration{0}), colors.color(Duration{1000}));
  EXPECT_EQ(colors.place_of(Duration{1'000'000}), 0.5);
}

TEST(LengthColors, ATraceOfInstantsHasAScaleToo) {
  const LengthColors colors(Duration{0}, Theme::kDark);
  EXPECT_LT(colors.from(), colors.to());
  EXPECT_EQ(colors.place_of(Duration{0}), 0);
}

TEST(LengthColors, ALoneStateHasTheColourOfItsLengthAndAnAggregateThatOfTheMean) {
  const auto lengths = std::make_shared<const LengthColors>(Duration{1000}, Theme::kDark);
  const auto palette =
      Palette::make(plain_dictionary(8), Theme::kDark, {}, /*has_patterns=*/false, lengths);
  // At 8 ticks a column: three of 2 ticks; one of 40 ticks that goes on from column to column.
  const std::vector<PlainRecord> records{{Time{0}, Duration{2}},
                                         {Time{3}, Duration{2}, EventTypeId(1)},
                                         {Time{6}, Duration{2}},
                                         {Time{16}, Duration{40}, EventTypeId(2)}};
  const Tile tile = plain_tile(records, 3, 0, store::RowKind::kState, *palette);
  EXPECT_EQ(tile.texels[0].mark(), Mark::kSeveralTypes);
  EXPECT_EQ(color_of(tile.texels[0]), lengths->color(Duration{2}));
  for (const int column : {2, 4, 6})
    EXPECT_EQ(color_of(tile.texels[column]), lengths->color(Duration{40})) << column;
}

}  // namespace
}  // namespace weft::layout
