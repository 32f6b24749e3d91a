#include "core/base/value_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace weft {
namespace {

TEST(ValueText, SaysWholeNumbersInFull) {
  EXPECT_EQ(format_value(0), "0");
  EXPECT_EQ(format_value(3'670'123), "3,670,123");
  EXPECT_EQ(format_value(-1234), "-1,234");
  EXPECT_EQ(format_value(-0.0125), "-0.0125");
  EXPECT_EQ(format_value(1e20), "1e+20");
  EXPECT_EQ(format_value(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(format_value(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(ValueText, IsShortWithPrefixes) {
  EXPECT_EQ(format_short_value(0), "0");
  EXPECT_EQ(format_short_value(999), "999");
  EXPECT_EQ(format_short_value(999.6), "1k");
  EXPECT_EQ(format_short_value(3'670'123), "3.67M");
  EXPECT_EQ(format_short_value(-12'500), "-12.5k");
  EXPECT_EQ(format_short_value(0.0125), "0.0125");
  EXPECT_EQ(format_short_value(1e20), "1e+20");
  EXPECT_EQ(format_short_value(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(format_short_value(std::numeric_limits<double>::quiet_NaN()), "nan");
}

}  // namespace
}  // namespace weft
