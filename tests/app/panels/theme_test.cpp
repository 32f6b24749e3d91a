// covers B-25: names from outside among words of ours
#include "app/panels/theme.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

TEST(ShortName, EndsInAnEllipsisWhereItIsTooLong) {
  EXPECT_EQ(short_name("render", 6), "render");
  EXPECT_EQ(short_name("renderer", 6), "render…");
  EXPECT_EQ(short_name("", 6), "");
  EXPECT_EQ(short_name(std::string(100'000, 'x'), 3), "xxx…");
}

TEST(ShortName, CountsLettersNotBytesAndShowsNothingThatActs) {
  EXPECT_EQ(short_name("größer", 6), "größer");
  EXPECT_EQ(short_name("größere", 6), "größer…");
  EXPECT_EQ(short_name("a\nb", 8), "a\\nb");
  EXPECT_EQ(short_name("\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80", 2),
            "\xF0\x9F\x98\x80\xF0\x9F\x98\x80…");
}

}  // namespace
}  // namespace weft::app
