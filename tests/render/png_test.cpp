#include "render/png.h"

#include <gtest/gtest.h>

namespace weft::render {
namespace {

TEST(Png, APictureIsMadeWhole) {
  const auto png = png_from({2, 1, {0xFF0000FF, 0xFF00FF00}});
  ASSERT_TRUE(png);
  EXPECT_TRUE(png->starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_NE(png->find("IEND"), std::string::npos);
  EXPECT_FALSE(png_from({}));
}

TEST(Png, FlippingTwiceChangesNothing) {
  const Image image{2, 3, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(flipped(image).pixels, (std::vector<uint32_t>{5, 6, 3, 4, 1, 2}));
  EXPECT_EQ(flipped(flipped(image)).pixels, image.pixels);
}

}  // namespace
}  // namespace weft::render
