#include "core/base/numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace weft {
namespace {

template <class Number>
void expect_as_from_chars(std::string_view text) {
  Number value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view rest = text;
  const auto number = take_number<Number>(rest);
  ASSERT_EQ(number.has_value(), read.ec == std::errc()) << text;
  if (number) {
    EXPECT_EQ(*number, value) << text;
    EXPECT_EQ(rest.data(), read.ptr) << text;
  } else {
    EXPECT_EQ(rest, text);
  }
}

// As many digits as are read at once, one more, and more than there is room for.
TEST(Numbers, AreThoseOfTheLibraryWhateverTheirLength) {
  std::string nines, with_zeros = "0";
  for (int digits = 0; digits <= 25; ++digits) {
    for (const std::string& number : {nines, with_zeros, "-" + nines, "+" + nines}) {
      for (const char* const behind : {"", " 1", ".5", "x"}) {
        expect_as_from_chars<int64_t>(number + behind);
        expect_as_from_chars<uint64_t>(number + behind);
        expect_as_from_chars<int32_t>(number + behind);
        expect_as_from_chars<uint8_t>(number + behind);
      }
    }
    nines += '9';
    with_zeros += '0';
  }
  for (const std::string& most : {std::to_string(std::numeric_limits<int64_t>::max()),
                                  std::to_string(std::numeric_limits<int64_t>::min()),
                                  std::to_string(std::numeric_limits<uint64_t>::max())}) {
    expect_as_from_chars<int64_t>(most);
    expect_as_from_chars<uint64_t>(most);
  }
}

// Those that are told by their digits, and those beside them.
TEST(Numbers, AreRealsOfTheLibraryWhateverTheirForm) {
  for (const std::string whole :
       {"", "0", "00", "7", "12", "999999999999999", "9999999999999999"}) {
    for (const std::string fraction : {"", ".", ".0", ".1", ".75", ".30000000000000004", ".5.5"}) {
      for (const char* const behind : {"", " 1", "e", "e2", "E-3", "x", "%"}) {
        expect_as_from_chars<double>(whole + fraction + behind);
        expect_as_from_chars<double>('-' + whole + fraction + behind);
      }
    }
  }
  for (int i = 0; i < 5000; ++i)
    expect_as_from_chars<double>(std::to_string(i * 7919) + '.' + std::to_string(i * 104729));
}

TEST(Numbers, AreReadInTheirBase) {
  std::string_view text = "10ffg";
  EXPECT_EQ(take_number<uint64_t>(text, 16), 0x10ffU);
  EXPECT_EQ(text, "g");
  EXPECT_EQ(parse_number<int>("12"), 12);
  EXPECT_EQ(parse_number<int>("12 "), std::nullopt);
  EXPECT_EQ(parse_number<int>(""), std::nullopt);
  EXPECT_EQ(parse_number<int>({}), std::nullopt);
}

}  // namespace
}  // namespace weft
