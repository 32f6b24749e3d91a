// What readers share: the small steps over text.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "core/formats/text.h"

namespace weft::formats {
namespace {

TEST(TakeText, APrefixIsTakenOffWhereTheTextBeginsSo) {
  std::string_view text = "-> 5";
  EXPECT_FALSE(take_prefix(text, "=> "));
  EXPECT_EQ(text, "-> 5");
  EXPECT_TRUE(take_prefix(text, "-> "));
  EXPECT_EQ(text, "5");
}

TEST(TakeText, NumbersAreTakenInTheirBaseAndAsFarAsTheyFit) {
  std::string_view text = "ff,377";
  EXPECT_EQ(take_number<uint8_t>(text, 16), 0xFF);
  EXPECT_EQ(text, ",377");
  EXPECT_EQ(parse_number<uint8_t>("377", 8), 0xFF);
  EXPECT_FALSE(parse_number<uint8_t>("400", 8));
  EXPECT_FALSE(parse_number<int>("5,"));
  EXPECT_FALSE(parse_number<double>("inf"));
}

TEST(TakeText, AnAddressStandsBehind0x) {
  std::string_view text = "0x1f main";
  EXPECT_EQ(take_address(text), 0x1F);
  EXPECT_EQ(text, " main");
  text = "1f";
  EXPECT_FALSE(take_address(text));
  EXPECT_EQ(text, "1f");
}

}  // namespace
}  // namespace weft::formats
