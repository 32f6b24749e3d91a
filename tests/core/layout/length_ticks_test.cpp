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
  for (const LengthTick& tick :
       length_ticks(LengthAxis(borders, width), in_nanoseconds, label_width))
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

// The last power's label would leave the axis; two powers say more than one multiple.
TEST(LengthTicks, OfFewPowersAreThoseThatFit) {
  const auto labels_in = [](double width) {
    const std::vector<int64_t> borders = widening(15'320, 10.16e6, 96);
    std::vector<std::string> texts;
    for (const LengthTick& tick : length_ticks(LengthAxis(borders, width, /*is_logarithmic=*/true),
                                               in_nanoseconds, label_width))
      texts.push_back(tick.label);
    return texts;
  };
  EXPECT_THAT(labels_in(400), ElementsAre("30 µs", "100 µs", "300 µs", "1 ms", "3 ms"));
  EXPECT_THAT(labels_in(250), ElementsAre("100 µs", "1 ms"));
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
        for (const LengthTick& tick :
             length_ticks(LengthAxis(borders, width), in_nanoseconds, label_width)) {
          EXPECT_EQ(tick.x, LengthAxis(borders, width).x_of_mark(tick.length));
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
  const LengthAxis axis(borders, 200);
  EXPECT_EQ(axis.x_of(5), 0);
  EXPECT_EQ(axis.x_of(10), 0);
  EXPECT_EQ(axis.x_of(15), 50);
  EXPECT_EQ(axis.x_of(40), 150);
  EXPECT_EQ(axis.x_of(60), 200);
  EXPECT_EQ(axis.x_of(99), 200);
}

TEST(LengthTicks, ALengthAloneInItsBinIsMarkedInTheMiddle) {
  const std::vector<int64_t> borders = {50'000, 50'001, 50'002};
  const LengthAxis axis(borders, 400);
  EXPECT_EQ(axis.x_of(50'001), 200);
  EXPECT_EQ(axis.x_of_mark(50'000), 100);
  EXPECT_EQ(axis.x_of_mark(50'001), 300);
  EXPECT_EQ(axis.x_of_mark(50'002), 400);
  EXPECT_THAT(labels({7'000, 7'001}, 300), ElementsAre("7 µs"));
}

// Whatever bins whole ticks allow.
TEST(LengthTicks, PowersOfTenAreEquallyWideOnALogarithmicAxis) {
  const std::vector<int64_t> borders = {1, 2, 3, 7, 10, 50, 1'000, 10'000};
  const LengthAxis axis(borders, 400);
  const LengthAxis powers(borders, 400, /*is_logarithmic=*/true);
  for (const auto& [length, x] : {std::pair(1, 0), {10, 100}, {100, 200}, {1'000, 300}})
    EXPECT_NEAR(powers.x_of(length), x, 1e-9) << length;
  EXPECT_NEAR(powers.bin(3).x1, 100, 1e-9);
  EXPECT_NE(axis.x_of(10), powers.x_of(10));
}

TEST(LengthTicks, ZeroStandsApartOnALogarithmicAxis) {
  const std::vector<int64_t> borders = {0, 1'000, 10'000, 100'000};
  const LengthAxis axis(borders, 1'000, /*is_logarithmic=*/true);
  EXPECT_GT(axis.bin(1).x0, axis.bin(0).x1) << "a gap";
  EXPECT_NEAR(axis.bin(1).x1 - axis.bin(1).x0, axis.bin(2).x1 - axis.bin(2).x0, 1e-9);
  const auto ticks = length_ticks(axis, in_nanoseconds, label_width);
  ASSERT_GE(ticks.size(), 3u);
  EXPECT_EQ(ticks[0].label, "0 s");
  EXPECT_EQ(ticks.back().label, "50 µs");
  const std::vector<int64_t> zero = {0, 1};
  EXPECT_EQ(LengthAxis(zero, 1'000, /*is_logarithmic=*/true).bin(0).x1, 1'000);
}

TEST(LengthTicks, RoundValuesAreTwoToFour) {
  EXPECT_THAT(round_values(4'171, true), ElementsAre(1'000, 2'000, 3'000, 4'000));
  EXPECT_THAT(round_values(1, true), ElementsAre(1));
  EXPECT_THAT(round_values(2, true), ElementsAre(1, 2));
  EXPECT_TRUE(round_values(0, true).empty());
  for (double most = 1e-9; most < 1e12; most *= 1.37) {
    const size_t count = round_values(most, false).size();
    EXPECT_TRUE(count >= 2 && count <= 4) << most;
    EXPECT_LE(round_values(most, false).back(), most);
  }
}

TEST(LengthTicks, SpreadLabelsKeepTheirOrderAndDoNotTouch) {
  const std::vector<SpreadLabel> labels = {{50, 40}, {60, 40}, {190, 40}, {195, 40}};
  EXPECT_THAT(spread(labels, 200, 4), ElementsAre(28, 72, 116, 160));
  EXPECT_THAT(spread(std::span(labels).first(1), 200, 4), ElementsAre(30));
}

}  // namespace
}  // namespace weft::layout
