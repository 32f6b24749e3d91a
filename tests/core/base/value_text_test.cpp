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
  EXPECT_EQ(format_value(std::numeric_limits<double>::quiet_NaN()), "none");
  EXPECT_EQ(format_value(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(ValueText, OfWordsOfBitsIsInTheRadixThatIsWanted) {
  EXPECT_EQ(format_word(500, Radix::kHexadecimal), "0x1f4");
  EXPECT_EQ(format_word(500, Radix::kDecimal), "500");
  EXPECT_EQ(format_word(5, Radix::kBinary), "0b101");
  EXPECT_EQ(format_word(0, Radix::kHexadecimal), "0x0");
  EXPECT_EQ(format_word(0x1p53, Radix::kHexadecimal), "≈0x20000000000000");
  EXPECT_EQ(format_word(0x1p63, Radix::kDecimal), "≈9223372036854775808");
  EXPECT_EQ(format_word(0x1p64, Radix::kHexadecimal), "≈0x100000000000…");
  EXPECT_EQ(format_word(0x1.11122223333p+236, Radix::kHexadecimal), "≈0x111122223333…");
  EXPECT_EQ(format_word(0x1.8p+239, Radix::kHexadecimal), "≈0xc00000000000…");
  EXPECT_EQ(format_word(0x1.8p+64, Radix::kBinary),
            "≈0b110000000000000000000000000000000000000000000000…");
  EXPECT_EQ(format_word(0x1p64, Radix::kDecimal), "1.84467e+19");
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double no_word : {-1.0, 0.5, infinite})
    EXPECT_EQ(format_word(no_word, Radix::kBinary), format_value(no_word));
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
  EXPECT_EQ(format_short_value(std::numeric_limits<double>::quiet_NaN()), "none");
}

}  // namespace
}  // namespace weft
