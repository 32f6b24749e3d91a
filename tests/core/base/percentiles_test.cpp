#include "core/base/percentiles.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(PercentilesOf, AreTheNearestValues) {
  const Percentiles four = percentiles_of({40, 10, 30, 20});
  EXPECT_EQ(four.p50, 30) << "between the second and the third";
  EXPECT_EQ(four.p95, 40);
  EXPECT_EQ(four.p99, 40);
  EXPECT_EQ(four.max, 40);

  std::vector<double> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(i);
  const Percentiles many = percentiles_of(values);
  EXPECT_EQ(many.p50, 500);
  EXPECT_EQ(many.p95, 950);
  EXPECT_EQ(many.p99, 990);
  EXPECT_EQ(many.max, 1000);
}

TEST(PercentilesOf, NothingAreZero) { EXPECT_EQ(percentiles_of({}).max, 0); }

}  // namespace
}  // namespace weft
