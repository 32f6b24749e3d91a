#include "render/png.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/render/small_trace.h"

namespace weft::render {
namespace {

TEST(Png, APictureIsWrittenWhole) {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a.png";
  ASSERT_TRUE(write_png({2, 1, {0xFF0000FF, 0xFF00FF00}}, path));
  std::ifstream in(path, std::ios::binary);
  std::string head(8, '\0');
  in.read(head.data(), 8);
  EXPECT_EQ(head, "\x89PNG\r\n\x1a\n");
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));
}

TEST(Png, WhereItCannotBeWrittenItSaysSo) {
  const auto status = write_png({1, 1, {0}}, "/nonexistent/folder/a.png");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("/nonexistent/folder/a.png"), std::string::npos);
  EXPECT_FALSE(write_png({}, "/tmp/empty.png"));
}

TEST(Png, FlippingTwiceChangesNothing) {
  const Image image{2, 3, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(flipped(image).pixels, (std::vector<uint32_t>{5, 6, 3, 4, 1, 2}));
  EXPECT_EQ(flipped(flipped(image)).pixels, image.pixels);
}

}  // namespace
}  // namespace weft::render
