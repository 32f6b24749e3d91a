#include "render/software/software_painter.h"

#include <gtest/gtest.h>

#include <set>

#include "render/look.h"

namespace weft::render {
namespace {

constexpr Color kBack = 0xFF201810, kFront = 0xFF4080C0;

layout::Texel texel(int fill, layout::Mark mark, bool is_edge = false) {
  return {0xC0, 0x80, 0x40,
          static_cast<uint8_t>(fill << 3 | static_cast<int>(mark) << 1 | (is_edge ? 1 : 0))};
}

class PainterTest : public testing::Test {
 protected:
  // One strip of `texels`, `height` px high, alone in its picture.
  Image paint(std::vector<layout::Texel> texels, int height, StripMode mode = StripMode::kStates,
              int px_per_column = 1) {
    const auto columns = static_cast<float>(texels.size());
    const int width = static_cast<int>(texels.size()) * px_per_column;
    texels.resize(layout::kTileColumns);
    painter_.upload(0, std::span<const layout::Texel, layout::kTileColumns>(texels));
    DrawBatch batch;
    batch.background = kBack;
    batch.strips.push_back({.x0 = 0,
                            .x1 = static_cast<float>(width),
                            .y = 0,
                            .height = static_cast<float>(height),
                            .column0 = 0,
                            .column1 = columns,
                            .slot = 0,
                            .mode = mode,
                            .background = kBack,
                            .color = kFront});
    Image image{width, height, std::vector<uint32_t>(static_cast<size_t>(width) * height)};
    painter_.paint(batch, image);
    return image;
  }

  SoftwarePainter painter_{2};
};

TEST_F(PainterTest, EmptyColumnsShowTheBackground) {
  const Image image = paint({{}, texel(31, layout::Mark::kLone), {}}, 5);
  EXPECT_EQ(image.at(0, 2), kBack);
  EXPECT_EQ(image.at(1, 0), kFront);
  EXPECT_EQ(image.at(1, 4), kFront);
  EXPECT_EQ(image.at(2, 2), kBack);
}

TEST_F(PainterTest, TheFillRisesFromBelow) {
  const Image image = paint({texel(16, layout::Mark::kLone)}, 10);
  const Color rest = mixed(kBack, kFront, share_of(kRestShade));
  EXPECT_EQ(image.at(0, 0), rest);
  EXPECT_EQ(image.at(0, 4), rest);
  EXPECT_EQ(image.at(0, 5), kFront);
  EXPECT_EQ(image.at(0, 9), kFront);
}

TEST_F(PainterTest, TheSmallestShareIsStillAPixel) {
  const Image image = paint({texel(0, layout::Mark::kLone)}, 10);
  EXPECT_EQ(image.at(0, 9), kFront);
  EXPECT_NE(image.at(0, 8), kFront);
}

TEST_F(PainterTest, AggregatesHaveAPatternAndSeveralTypesASecond) {
  const auto dark = [](const Image& image) {
    return std::ranges::count_if(image.pixels, [](uint32_t p) { return p != kFront; });
  };
  const Image lone = paint(std::vector(16, texel(31, layout::Mark::kLone)), 16);
  const Image several = paint(std::vector(16, texel(31, layout::Mark::kSeveralOfOneType)), 16);
  const Image types = paint(std::vector(16, texel(31, layout::Mark::kSeveralTypes)), 16);
  EXPECT_EQ(dark(lone), 0);
  EXPECT_EQ(dark(several), 64);  // every fourth diagonal
  EXPECT_EQ(dark(types), 128 - 32 + 0) << "both ways; crossings count once";
}

TEST_F(PainterTest, AnEdgeIsALineOfItsOwnShade) {
  const Image image =
      paint({texel(31, layout::Mark::kLone), texel(31, layout::Mark::kLone, true)}, 3);
  EXPECT_EQ(image.at(0, 1), kFront);
  EXPECT_EQ(image.at(1, 1), mixed(0, kFront, share_of(kEdgeShade)));
}

TEST_F(PainterTest, InstantsLeaveTheRestEmpty) {
  const Image image = paint({texel(16, layout::Mark::kLone)}, 10, StripMode::kPunctuals);
  EXPECT_EQ(image.at(0, 0), kBack);
  EXPECT_EQ(image.at(0, 9), kFront);
}

TEST_F(PainterTest, AVariableIsABandOverItsArea) {
  layout::Texel value = texel(31, layout::Mark::kLone);
  value.r = value.g = value.b = 128;
  const Image image = paint({value}, 22, StripMode::kVariable);
  EXPECT_EQ(image.at(0, 0), kBack);
  EXPECT_EQ(image.at(0, 10), kFront);
  EXPECT_EQ(image.at(0, 21), mixed(kBack, kFront, share_of(kRestShade)));
}

// A value holds from its sample on, also where a tick is wider than a pixel.
TEST_F(PainterTest, TheStepToAValueIsThin) {
  layout::Texel step = texel(31, layout::Mark::kSeveralOfOneType);
  step.g = 255;
  step.b = 128;
  const Image image = paint({step}, 22, StripMode::kVariable, 8);
  EXPECT_NE(image.at(1, 1), kBack);
  EXPECT_NE(image.at(1, 21), kBack);
  for (int x = 2; x < 8; ++x) {
    EXPECT_EQ(image.at(x, 1), kBack);
    EXPECT_EQ(image.at(x, 10), kFront);
    EXPECT_EQ(image.at(x, 21), mixed(kBack, kFront, share_of(kRestShade)));
  }
}

TEST_F(PainterTest, WhatLiesOutsideIsClipped) {
  DrawBatch batch;
  batch.background = kBack;
  batch.boxes.push_back({-100, -100, 1000, 1000, kFront, 1});
  batch.lines.push_back({-50, -50, 500, 300, 5, 10, 0xFFFFFFFF});
  batch.lines.push_back({4, 4, 4, 4, 1, 7, 0xFFFFFFFF});
  batch.markers.push_back({-2, -2, 4, 0xFFFFFFFF});
  Image image{8, 6, std::vector<uint32_t>(48)};
  painter_.paint(batch, image);
  EXPECT_EQ(image.at(7, 0), kFront);
}

TEST_F(PainterTest, RowsCanLieBottomFirst) {
  DrawBatch batch;
  batch.background = kBack;
  batch.boxes.push_back({0, 0, 4, 1, kFront, 0});
  Image top_first{4, 3, std::vector<uint32_t>(12)}, bottom_first = top_first;
  painter_.paint(batch, top_first);
  painter_.paint(batch, bottom_first, RowOrder::kBottomFirst);
  EXPECT_EQ(top_first.at(0, 0), kFront);
  EXPECT_EQ(flipped(bottom_first).pixels, top_first.pixels);
}

TEST(Mixed, EndsAndMiddleAreExact) {
  EXPECT_EQ(mixed(0xFF000000, 0xFFFFFFFF, 256), 0xFFFFFFFFu);
  EXPECT_EQ(mixed(0xFF000000, 0xFFFFFFFF, 0), 0xFF000000u);
  EXPECT_EQ(mixed(0xFFFFFFFF, 0xFFFFFFFF, 77), 0xFFFFFFFFu);
  EXPECT_EQ(mixed(0xFF000000, 0xFFFFFFFF, 128), 0xFF808080u);
}

// covers B-26
TEST_F(PainterTest, TypesAreToldApartByPatternsInThreeRows) {
  std::set<std::vector<uint32_t>> seen;
  for (uint32_t pattern = 0; pattern < layout::kPatternCount; ++pattern) {
    DrawBatch batch;
    batch.background = kBack;
    batch.boxes.push_back({0, 0, 32, 3, kFront, 0, pattern});
    Image image{32, 3, std::vector<uint32_t>(32 * 3)};
    painter_.paint(batch, image);
    const Color shaded = mixed(0, kFront, share_of(kTypePatternShade));
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 32; ++x) {
        EXPECT_EQ(image.at(x, y), is_on_pattern(pattern, x, y) ? shaded : kFront);
      }
    }
    seen.insert(image.pixels);
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(layout::kPatternCount));
}

TEST_F(PainterTest, ABoxNarrowerThanAPatternIsPlain) {
  DrawBatch batch;
  batch.background = kBack;
  batch.boxes.push_back({0, 0, kPatternFromPx - 1, 3, kFront, 0, 4});
  Image image{16, 3, std::vector<uint32_t>(16 * 3)};
  painter_.paint(batch, image);
  EXPECT_EQ(image.at(0, 0), kFront);
  EXPECT_EQ(image.at(8, 2), kFront);
}

}  // namespace
}  // namespace weft::render
