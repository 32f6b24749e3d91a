// covers B-29: the window is as large as it was left
#include "app/window/window_place.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/app/sample_trace.h"

namespace weft::app {
namespace {

TEST(WindowPlaceTest, IsReadAsItWasKept) {
  const testing::ScratchFolder folder;
  const std::filesystem::path state = folder.path() / "state";
  EXPECT_EQ(read_window_place(state), std::nullopt);
  for (const WindowPlace& place : {WindowPlace{1000, 700, false}, WindowPlace{640, 480, true}}) {
    ASSERT_TRUE(write_window_place(place, state));
    EXPECT_EQ(read_window_place(state), place);
  }
  ASSERT_TRUE(write_window_place({1, 1, false}, {}));
  EXPECT_EQ(read_window_place({}), std::nullopt);
}

TEST(WindowPlaceTest, IsNoneWhereNoWindowCanBeSo) {
  const testing::ScratchFolder folder;
  for (const char* text : {"", "[7]", "{\"width\": 800}", "{\"width\": 800, \"height\": \"9\"}",
                           "{\"width\": 0, \"height\": 600}", "{\"width\": 800, \"height\": 1e9}",
                           "{\"width\": 800, \"height\": 99999999999}"}) {
    std::ofstream(folder.path() / "window.json") << text;
    EXPECT_EQ(read_window_place(folder.path()), std::nullopt) << text;
  }
  std::ofstream(folder.path() / "window.json")
      << "{\"width\": 800, \"height\": 600" << std::string(1 << 20, ' ') << '}';
  EXPECT_EQ(read_window_place(folder.path()), std::nullopt);
}

}  // namespace
}  // namespace weft::app
