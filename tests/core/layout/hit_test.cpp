#include "core/layout/hit.h"

#include <gtest/gtest.h>

#include "tests/core/layout/plain_cells.h"

namespace weft::layout {
namespace {

// Two ticks a column, one tick a px.
const TimeScale kScale({Time{0}, Time{256}}, 256);

PlacedTile placed(const Tile& tile) {
  return {.tile = &tile, .row = RowId(7), .x0 = 0, .x1 = 256, .y = 10, .height = 5};
}

TEST(Hit, ALoneElementIsItself) {
  const Tile tile = plain_tile({{Time{101}, Duration{1}, EventTypeId(3)}}, 1, 0);
  const auto found = hit(std::vector{placed(tile)}, {}, {}, kScale, 100.5f, 12);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, Hit::Kind::kElement);
  EXPECT_EQ(found->row, RowId(7));
  EXPECT_EQ(found->begin, Time{101});
  EXPECT_EQ(found->duration, Duration{1});
  EXPECT_EQ(found->type, EventTypeId(3));
}

TEST(Hit, AnAggregateTellsHowManyItHolds) {
  const Tile tile =
      plain_tile({{Time{100}, Duration{1}, EventTypeId(3)}, {Time{101}, {}, EventTypeId(4)}}, 1, 0);
  const auto found = hit(std::vector{placed(tile)}, {}, {}, kScale, 100.5f, 12);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, Hit::Kind::kAggregate);
  EXPECT_EQ(found->count, 2u);
  EXPECT_FLOAT_EQ(found->busy_share, 0.5f);
  EXPECT_EQ(found->begin, Time{100}) << "the column's";
  EXPECT_EQ(found->duration, Duration{2});
}

TEST(Hit, EmptySpaceIsNothing) {
  const Tile tile = plain_tile({{Time{100}, Duration{4}}}, 1, 0);
  const std::vector tiles{placed(tile)};
  EXPECT_FALSE(hit(tiles, {}, {}, kScale, 90, 12));
  EXPECT_FALSE(hit(tiles, {}, {}, kScale, 101, 9)) << "above the row";
  EXPECT_FALSE(hit(tiles, {}, {}, kScale, 101, 15)) << "below it";
  EXPECT_TRUE(hit(tiles, {}, {}, kScale, 101, 14.9f));
}

TEST(Hit, TheGapBelowARowIsTheRows) {
  const Tile tile = plain_tile({{Time{100}, Duration{4}}}, 1, 0);
  std::vector tiles{placed(tile)};
  tiles[0].gap = 3;
  PlacedBox box{.x0 = 150, .x1 = 200, .y = 10, .height = 5, .begin = {150}, .duration = {50}};
  box.gap = 3;
  const std::vector boxes{box};
  EXPECT_TRUE(hit(tiles, boxes, {}, kScale, 101, 17));
  EXPECT_TRUE(hit(tiles, boxes, {}, kScale, 160, 17));
  EXPECT_FALSE(hit(tiles, boxes, {}, kScale, 101, 18));
  EXPECT_EQ(nearest_edge(tiles, boxes, kScale, 152, 17, 6), Time{150});
  EXPECT_EQ(nearest_edge(tiles, boxes, kScale, 152, 18, 6), std::nullopt);
}

TEST(Hit, ABoxLiesOverItsRow) {
  const Tile tile = plain_tile({{Time{100}, Duration{1}}}, 1, 0);
  const PlacedBox box{.row = RowId(7),
                      .x0 = 102,
                      .x1 = 200,
                      .y = 10,
                      .height = 5,
                      .begin = Time{102},
                      .duration = Duration{98},
                      .type = EventTypeId(2)};
  const auto found = hit(std::vector{placed(tile)}, std::vector{box}, {}, kScale, 150, 12);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->type, EventTypeId(2));
  EXPECT_EQ(found->duration, Duration{98});
  EXPECT_EQ(hit(std::vector{placed(tile)}, std::vector{box}, {}, kScale, 100, 12)->duration,
            Duration{1});
}

TEST(Hit, AnArrowIsFoundWithinReach) {
  PlacedLink arrow{.x0 = 0, .y0 = 0, .x1 = 100, .y1 = 100, .width = 2, .link = {}};
  arrow.link.count = 9;
  EXPECT_TRUE(hit({}, {}, std::vector{arrow}, kScale, 50, 52));
  EXPECT_FALSE(hit({}, {}, std::vector{arrow}, kScale, 50, 60));
  EXPECT_FALSE(hit({}, {}, std::vector{arrow}, kScale, 110, 110)) << "past its end";
  EXPECT_EQ(hit({}, {}, std::vector{arrow}, kScale, 50, 51)->count, 9u);
}

TEST(Hit, AThinInstantIsFoundBesideIt) {
  const Tile tile = plain_tile({{Time{100}, {}}}, 1, 0, store::RowKind::kPunctual);
  const std::vector tiles{placed(tile)};
  EXPECT_TRUE(hit(tiles, {}, {}, kScale, 104, 12));
  EXPECT_TRUE(hit(tiles, {}, {}, kScale, 98, 12));
  EXPECT_FALSE(hit(tiles, {}, {}, kScale, 110, 12));
}

TEST(NearestEdge, IsWhatBeginsOrEndsWithinReach) {
  const Tile tile = plain_tile({{Time{101}, Duration{1}, EventTypeId(3)}}, 1, 0);
  const std::vector tiles{placed(tile)};
  const PlacedBox box = {
      .x0 = 150, .x1 = 200, .y = 30, .height = 5, .begin = {150}, .duration = {50}};
  const std::vector boxes{box};
  const auto edge = [&](float x, std::optional<float> y) {
    return nearest_edge(tiles, boxes, kScale, x, y, 6);
  };
  EXPECT_EQ(edge(98, 12.0F), Time{101});
  EXPECT_EQ(edge(106, 12.0F), Time{102});
  EXPECT_EQ(edge(98, 32.0F), std::nullopt) << "another row";
  EXPECT_EQ(edge(98, std::nullopt), Time{101});
  EXPECT_EQ(edge(203, 32.0F), Time{200});
  EXPECT_EQ(edge(175, 32.0F), std::nullopt);
}

// covers C-07
TEST(Labels, EndBeforeTheNextBoxOfTheirRow) {
  const auto box = [](uint32_t row, float x0, float x1) {
    return PlacedBox{.row = RowId(row), .x0 = x0, .x1 = x1};
  };
  // The second row holds a state and what lies in it, as while a trace grows.
  const PlacedBox boxes[] = {box(1, 0, 50), box(1, 60, 90), box(2, 10, 100), box(2, 12, 30),
                             box(2, 40, 80)};
  const float ends[] = {50, 90, 12, 30, 80};
  for (size_t i = 0; i < std::size(boxes); ++i) EXPECT_EQ(label_end(boxes, i), ends[i]) << i;
}

}  // namespace
}  // namespace weft::layout
