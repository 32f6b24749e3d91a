#include "core/formats/base/args_text.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

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
    expect_as_library(-value);
    expect_as_library(std::nextafter(value, 2 * value));
  }
  for (int i = 0; i < 5000; ++i) {
    expect_as_library(i / 1000.0);
    expect_as_library(i / 1024.0);
    expect_as_library(123456789012.0 + i / 1000.0);
  }
}

}  // namespace
}  // namespace weft::formats
