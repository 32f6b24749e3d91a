#include "core/base/interval_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace weft {
namespace {

TEST(IntervalSet, IsASet) {
  std::mt19937_64 random(4);
  IntervalSet intervals;
  std::set<uint64_t> truth;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t n = random() % 2000;
    intervals.insert(n);
    truth.insert(n);
    const uint64_t asked = random() % 2000;
    ASSERT_EQ(intervals.contains(asked), truth.contains(asked));
  }
  size_t runs = 0;
  for (const uint64_t n : truth) runs += truth.contains(n - 1) ? 0 : 1;
  EXPECT_EQ(intervals.intervals(), runs);
}

TEST(IntervalSet, IsSmallInOrderAndHoldsTheEnds) {
  IntervalSet set;
  for (uint64_t n = 0; n < 100000; ++n) set.insert(n);
  EXPECT_EQ(set.intervals(), 1u);
  set.insert(~uint64_t{0});
  EXPECT_TRUE(set.contains(~uint64_t{0}) && set.contains(0) && !set.contains(100000));
}

}  // namespace
}  // namespace weft
