#include "core/base/saturating.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(Saturating, WhatFitsIsExact) {
  EXPECT_EQ(saturated(kLeast), kLeast);
  EXPECT_EQ(saturated(kMost), kMost);
  EXPECT_EQ(saturating_scale(kMost, 1'000'000'000, 1'000'000'000), kMost);
  EXPECT_EQ(saturating_scale(-7, 10, 4), -17);
}

TEST(Saturating, WhatDoesNotFitEndsAtTheLimit) {
  EXPECT_EQ(saturated(std::numeric_limits<uint64_t>::max()), kMost);
  EXPECT_EQ(saturated(Wide{kLeast} - 1), kLeast);
  EXPECT_EQ(saturating_scale(std::numeric_limits<uint64_t>::max(), 1'000'000'000, 1), kMost);
  EXPECT_EQ(saturating_scale(kLeast, 1'000'000'000, 1), kLeast);
}

template <class Real>
class RoundedReals : public ::testing::Test {};
using Reals = ::testing::Types<float, double, long double>;
TYPED_TEST_SUITE(RoundedReals, Reals);

TYPED_TEST(RoundedReals, AreTheNearestWholeNumberWithin64Bits) {
  const auto real = [](long double number) { return static_cast<TypeParam>(number); };
  EXPECT_EQ(checked_round(real(2.5)), 3);
  EXPECT_EQ(checked_round(real(-2.5)), -3);
  EXPECT_EQ(checked_round(real(-0x1p63L)), kLeast);
  EXPECT_EQ(checked_round(std::nextafter(real(0x1p63L), real(0))).has_value(),
            sizeof(TypeParam) < 16);
  for (const long double beyond : {0x1p63L, 0x1p64L, -0x1p64L, 1e30L})
    EXPECT_EQ(checked_round(real(beyond)), std::nullopt) << beyond;
  EXPECT_EQ(checked_round(std::numeric_limits<TypeParam>::quiet_NaN()), std::nullopt);
  EXPECT_EQ(checked_round(std::numeric_limits<TypeParam>::infinity()), std::nullopt);
}

TYPED_TEST(RoundedReals, SaturateBeyond) {
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_EQ(saturating_round(static_cast<TypeParam>(-1.25)), -1);
  EXPECT_EQ(saturating_round(Limits::max()), kMost);
  EXPECT_EQ(saturating_round(Limits::lowest()), kLeast);
  EXPECT_EQ(saturating_round(Limits::infinity()), kMost);
  EXPECT_EQ(saturating_round(Limits::quiet_NaN()), 0);
}

}  // namespace
}  // namespace weft
