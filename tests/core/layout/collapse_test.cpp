#include "core/layout/collapse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/core/layout/plain_cells.h"

namespace weft::layout {
namespace {

// Draws a text as states, one character a tick: letters are types, '.' is idle. Equal letters
// beside each other are one state; '|' ends one without a gap (and takes no time).
std::vector<PlainRecord> states(const std::string& text) {
  std::vector<PlainRecord> records;
  int64_t t = 0;
  char before = '.';
  for (const char c : text) {
    if (c == '|') {
      before = '.';
      continue;
    }
    if (c != '.' && c == before) {
      ++records.back().duration.ticks;
    } else if (c != '.') {
      records.push_back({Time{t}, Duration{1}, EventTypeId(static_cast<uint32_t>(c - 'a'))});
    }
    before = c;
    ++t;
  }
  return records;
}

// The marks of the first columns at a level: ' ' empty, '-' lone, '=' several of one type, '#' of
// several types.
std::string marks(const std::string& text, int level, int columns) {
  const Tile tile = plain_tile(states(text), level, 0);
  std::string result;
  for (int i = 0; i < columns; ++i) result += " -=#"[static_cast<int>(tile.texels[i].mark())];
  return result;
}

TEST(Collapse, WhatIsAPixelWideStaysItself) { EXPECT_EQ(marks("ab.a", 0, 5), "-- - "); }

TEST(Collapse, TwoNarrowNeighboursMerge) { EXPECT_EQ(marks("a|a.", 1, 2), "= "); }

TEST(Collapse, TwoNarrowNeighboursOfTwoTypesMergeIntoASecondPattern) {
  EXPECT_EQ(marks("ab.", 1, 2), "# ");
}

TEST(Collapse, ALoneNarrowElementIsWidenedAndIsNoAggregate) {
  EXPECT_EQ(marks("........a.......", 3, 2), " -");
  const Tile tile = plain_tile(states("........a......."), 3, 0);
  EXPECT_EQ(tile.texels[1].fill(), Texel::kFullFill);
}

TEST(Collapse, AStateThatGoesOnFillsItsColumns) { EXPECT_EQ(marks("..aaaaaa..", 1, 5), " --- "); }

TEST(Collapse, ANeighbourThatGoesOnMakesNoAggregate) {
  // a ends and b begins within one column: each is seen in a column of its own.
  EXPECT_EQ(marks("aaaaabbbbb", 1, 5), "-----");
}

TEST(Collapse, AnAggregatesHeightIsTheBusyShare) {
  const Tile half = plain_tile(states("a.a.....a...a..."), 3, 0);
  EXPECT_EQ(half.texels[0].mark(), Mark::kSeveralOfOneType);
  EXPECT_EQ(half.texels[0].fill(), 8);  // 2 of 8 ticks, of 31, rounded up
  const Tile full = plain_tile(states("a|a|a|a|"), 2, 0);
  EXPECT_EQ(full.texels[0].fill(), Texel::kFullFill);
}

TEST(Collapse, AnAggregateHasTheColourOfItsDominantType) {
  const auto palette = Palette::make(plain_dictionary(8), Theme::kDark);
  const Tile tile = plain_tile(states("abbbbba."), 3, 0);
  const Rgb b = palette->color(EventTypeId(1));
  EXPECT_EQ(tile.texels[0].r, b >> 16);
  EXPECT_EQ(tile.texels[0].g, b >> 8 & 0xFF);
  EXPECT_EQ(tile.texels[0].b, b & 0xFF);
}

TEST(Collapse, WhereTwoElementsMeetALinePartsThem) {
  const Tile tile = plain_tile(states("..aaa|aaa..a"), 0, 0);
  EXPECT_FALSE(tile.texels[2].is_edge()) << "nothing before it";
  EXPECT_TRUE(tile.texels[5].is_edge());
  EXPECT_FALSE(tile.texels[6].is_edge()) << "it goes on";
  EXPECT_FALSE(tile.texels[10].is_edge());
}

TEST(Collapse, WideStatesAreBoxesAndNotInTheColumns) {
  const std::string wide(kWideColumns, 'a');
  const Tile tile = plain_tile(states("." + wide + "."), 0, 0);
  EXPECT_TRUE(tile.cells.empty());
  ASSERT_EQ(tile.boxes.size(), 1u);
  EXPECT_EQ(tile.boxes[0].begin, Time{1});
  EXPECT_EQ(tile.boxes[0].duration, Duration{kWideColumns});
}

TEST(Collapse, SeveralInstantsStandHigherThanOne) {
  aggregate::Cell lone, several;
  lone.begins = 1;
  several.begins = 100;
  const auto palette = Palette::make(plain_dictionary(1), Theme::kDark);
  lone.type = several.type = EventTypeId(0);
  EXPECT_EQ(punctual_texel(lone, *palette).mark(), Mark::kLone);
  EXPECT_EQ(punctual_texel(several, *palette).mark(), Mark::kSeveralOfOneType);
  EXPECT_LT(punctual_texel(lone, *palette).fill(), punctual_texel(several, *palette).fill());
}

TEST(Collapse, ABandSpansWhatAVariableDidInAColumn) {
  aggregate::Cell cell;
  cell.begins = 3;
  cell.min_value = 25;
  cell.max_value = 75;
  cell.last_value = 50;
  const Texel texel = variable_texel(cell, std::nan(""), {0, 100});
  EXPECT_EQ(texel.r, 64);
  EXPECT_EQ(texel.g, 191);
  EXPECT_EQ(texel.b, 128);
}

TEST(Collapse, AStepOfAVariableReachesFromTheValueBefore) {
  aggregate::Cell cell;
  cell.begins = 1;
  cell.min_value = cell.max_value = 80;
  cell.last_value = 80;
  const Texel texel = variable_texel(cell, 20, {0, 100});
  EXPECT_EQ(texel.r, 51);
  EXPECT_EQ(texel.g, 204);
}

TEST(Collapse, AVariableWithoutAValueShowsNothing) {
  aggregate::Cell cell;
  cell.begins = 1;
  cell.min_value = cell.max_value = std::nanf("");
  cell.last_value = std::nan("");
  EXPECT_EQ(variable_texel(cell, 20, {0, 100}), Texel());
  cell.begins = 2;
  cell.min_value = cell.max_value = 80;
  const Texel texel = variable_texel(cell, std::nan(""), {0, 100});
  EXPECT_EQ(texel.g, 204) << "it had one in the column";
  EXPECT_EQ(texel.b, 0) << "and has none at its end";
}

TEST(Collapse, ValuesThatAreNoNumbersStayInTheRow) {
  const ValueRange flat{5, 5};
  EXPECT_EQ(flat.byte_of(5), 255);
  EXPECT_EQ(flat.byte_of(std::nan("")), 128);
  const ValueRange range{-1e308, 1e308};
  EXPECT_EQ(range.byte_of(std::nan("")), 128);
  EXPECT_EQ(range.byte_of(HUGE_VAL), 255);
  EXPECT_EQ(range.byte_of(-HUGE_VAL), 0);
  EXPECT_EQ(range.byte_of(0), 128);
}

TEST(Collapse, WideFromNeverOverflows) {
  EXPECT_EQ(wide_from(kSingleTicksLevel), Duration{1});
  EXPECT_EQ(wide_from(0), Duration{kWideColumns});
  EXPECT_EQ(wide_from(kMaxLevel), Duration{std::numeric_limits<int64_t>::max()});
}

}  // namespace
}  // namespace weft::layout
