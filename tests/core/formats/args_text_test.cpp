#include "core/formats/base/args_text.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace weft::formats {
namespace {

// The library's digits are the fewest that read back as the number.
TEST(ArgsText, WritesRealsInTheFewestDigits) {
  const auto expect_as_library = [](double value) {
    ArgsText args;
    args.number(value);
    EXPECT_EQ(args.take_value(), fmt::format("{}", value));
  };
  for (const double value : {0.0, 0.5, 1.0, 0.001, 0.0001, 0.0005, 1.5e-7, 1e11, 999999999999.999,
                             1e12, 1e15, 1e16, 1e300, 0.1 + 0.2, 1.0 / 3, 4503599627370497.5}) {
    expect_as_library(value);
    if (value != 0) expect_as_library(-value);
    expect_as_library(std::nextafter(value, 2 * value));
  }
  for (int i = 0; i < 5000; ++i) {
    expect_as_library(i / 1000.0);
    expect_as_library(i / 1024.0);
    expect_as_library(123456789012.0 + i / 1000.0);
  }
}

// As a whole number it would lose its sign.
TEST(ArgsText, WritesTheZeroBelow0AsAReal) {
  ArgsText args;
  args.number(-0.0);
  EXPECT_EQ(args.take_value(), "-0.0");
}

TEST(ArgsText, TheWholeIsWhatIsTaken) {
  ArgsText kept;
  EXPECT_EQ(kept.whole(), "");
  for (int i = 0; i < 3; ++i) {
    ArgsText taken;
    kept.clear();
    for (ArgsText* const each : {&kept, &taken}) {
      each->add("a", i);
      each->add("t\"", std::string_view("x:"));
      each->add("l", std::numeric_limits<int64_t>::min());
    }
    EXPECT_EQ(kept.whole(), taken.take());
    EXPECT_TRUE(taken.is_empty());
  }
}

TEST(ArgsText, TakesOverTheValueOfAnother) {
  ArgsText list, object;
  list.begin('[');
  list.text("one");
  list.number(2);
  list.end(']');
  object.name("list");
  object.value_of(list);
  object.add("more", 3);
  EXPECT_EQ(object.take(), R"({"list":["one",2],"more":3})");
  EXPECT_EQ(list.take_value(), R"(["one",2])");
}

TEST(ArgsText, OnlyExactNumbersAreNumbers) {
  const auto written = [](std::string_view value) {
    ArgsText text;
    text.add_as_written("a", value);
    return text.take();
  };
  for (const std::string number :
       {"0", "-7", "100", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
        "0.5", "-12.75", "1.10", "12345678.1234567"})
    EXPECT_EQ(written(number), R"({"a":)" + number + "}");
  for (const std::string text :
       {"", "-", "1e2", "3E0", "1.5e3", "18446744073709551616", "12345678901234567890123",
        "-9223372036854775809", "123456789.1234567", "007", "0x1f", "nan"})
    EXPECT_EQ(written(text), R"({"a":")" + text + R"("})");
}

TEST(ArgsText, GoesOnWithAnObject) {
  ArgsText text;
  text.continue_object(R"({"a":1})");
  text.add("b", 2);
  EXPECT_EQ(text.take(), R"({"a":1,"b":2})");
}

}  // namespace
}  // namespace weft::formats
