#include "core/layout/length_ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace weft::layout {
namespace {

double label_width(std::string_view text) { return 7.0 * static_cast<double>(text.size()); }

std::vector<int64_t> widening(double first, double last, size_t bins) {
  std::vector<int64_t> borders;
  for (size_t i = 0; i <= bins; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(bins);
    borders.push_back(static_cast<int64_t>(first * std::pow(last / first, share)));
  }
  return borders;
}

std::vector<int64_t> even(int64_t first, int64_t each, size_t bins) {
  std::vector<int64_t> borders;
  for (size_t i = 0; i <= bins; ++i) borders.push_back(first + static_cast<int64_t>(i) * each);
  return borders;
}

std::string in_nanoseconds(Duration length) {
  return format_duration(length, TimeBase::kNanoseconds, 3);
}

std::vector<std::string> labels(const std::vector<int64_t>& borders, double width) {
  std::vector<std::string> texts;
  for (const LengthTick& tick : length_ticks(borders, width, in_nanoseconds, label_width))
    texts.push_back(tick.label);
  return texts;
}

using ::testing::ElementsAre;

TEST(LengthTicks, AreRoundWhereBinsWiden) {
  EXPECT_THAT(labels(widening(1.5e6, 18e9, 96), 1200),
              ElementsAre("2 ms", "5 ms", "10 ms", "20 ms", "50 ms", "100 ms", "200 ms", "500 ms",
                          "1 s", "2 s", "5 s", "10 s"));
  EXPECT_THAT(labels(widening(1.5e6, 18e9, 96), 400),
              ElementsAre("10 ms", "100 ms", "1 s", "10 s"));
}

TEST(LengthTicks, AreMultiplesOfAStepWhereBinsAreEven) {
  EXPECT_THAT(labels(even(0, 130, 96), 400), ElementsAre("2 µs", "4 µs", "6 µs", "8 µs", "10 µs"));
  // Fewer than three round lengths lie here.
  EXPECT_THAT(labels(widening(1.1e6, 1.9e6, 10), 300),
              ElementsAre("1.2 ms", "1.4 ms", "1.6 ms", "1.8 ms"));
}

TEST(LengthTicks, NeverTouchAndLieWhereTheirLengthsDo) {
  for (double last = 3; last < 9e18; last *= 7.7) {
    for (const double width : {10.0, 90.0, 640.0, 1920.0}) {
      for (const auto& borders :
           {widening(1, last, 1), even(0, static_cast<int64_t>(last) / 50 + 1, 50)}) {
        double right = -1;
        for (const LengthTick& tick : length_ticks(borders, width, in_nanoseconds, label_width)) {
          EXPECT_EQ(tick.x, x_of_length(borders, width, tick.length));
          EXPECT_GT(tick.x - label_width(tick.label) / 2, right);
          right = tick.x + label_width(tick.label) / 2;
          EXPECT_LE(right, width);
        }
      }
    }
  }
}

TEST(LengthTicks, ALengthLiesWithinItsBin) {
  const std::vector<int64_t> borders = {10, 20, 60};
  EXPECT_EQ(x_of_length(borders, 200, 5), 0);
  EXPECT_EQ(x_of_length(borders, 200, 10), 0);
  EXPECT_EQ(x_of_length(borders, 200, 15), 50);
  EXPECT_EQ(x_of_length(borders, 200, 40), 150);
  EXPECT_EQ(x_of_length(borders, 200, 60), 200);
  EXPECT_EQ(x_of_length(borders, 200, 99), 200);
}

}  // namespace
}  // namespace weft::layout
