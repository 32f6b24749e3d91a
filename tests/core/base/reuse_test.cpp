#include "core/base/reuse.h"

#include <gtest/gtest.h>

#include <random>

namespace weft {
namespace {

// Asks for so many values, of which one in `known_one_in` is known: how many were looked for.
uint64_t looked_for(Reuse& reuse, uint64_t values, uint64_t known_one_in) {
  std::mt19937_64 random(values);
  uint64_t looked = 0;
  for (uint64_t i = 0; i < values; ++i) {
    if (!reuse.is_looked_for(random())) continue;
    ++looked;
    reuse.found(random() % known_one_in == 0);
  }
  return looked;
}

TEST(Reuse, LooksForAllWhereSomeAreKnown) {
  Reuse reuse;
  EXPECT_EQ(looked_for(reuse, 1'000'000, 10), 1'000'000);
  EXPECT_TRUE(reuse.is_worth_it());
}

TEST(Reuse, LooksForASampleWhereHardlyAnyIsKnownAndForAllOnceSomeAreAgain) {
  Reuse reuse;
  EXPECT_LT(looked_for(reuse, 1'000'000, 1000), 200'000);
  EXPECT_FALSE(reuse.is_worth_it());
  EXPECT_GT(looked_for(reuse, 1'000'000, 4), 600'000);
  EXPECT_TRUE(reuse.is_worth_it());
}

}  // namespace
}  // namespace weft
