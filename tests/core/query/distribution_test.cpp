#include "core/query/metrics/distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/query/metrics/log_bins.h"

namespace weft::query {
namespace {

TEST(LogBins, HoldEveryNumberOnceAndInOrder) {
  using Bins = LogBins<3>;
  EXPECT_EQ(Bins::of(~uint64_t{0}), Bins::kCount - 1);
  EXPECT_EQ(Bins::most(Bins::kCount - 1), ~uint64_t{0});
  for (size_t bin = 0; bin < Bins::kCount; ++bin) {
    EXPECT_EQ(Bins::of(Bins::least(bin)), bin);
    EXPECT_EQ(Bins::of(Bins::most(bin)), bin);
    EXPECT_LE(Bins::most(bin) - Bins::least(bin), Bins::least(bin) / 8);
    if (bin > 0) {
      EXPECT_EQ(Bins::least(bin), Bins::most(bin - 1) + 1);
    }
  }
}

// Random values of either sign and any magnitude.
std::vector<int64_t> random_values(std::mt19937_64& random, size_t count) {
  std::vector<int64_t> values(count);
  for (int64_t& value : values) {
    value = static_cast<int64_t>(random() >> random() % 64);
    if (random() % 4 == 0) value = ~value;
  }
  return values;
}

TEST(Distribution, KnowsItsPercentilesExactlyWhileThereAreFew) {
  std::mt19937_64 random(1);
  for (const size_t count : {1, 2, 7, 100, 256}) {
    std::vector<int64_t> values = random_values(random, count);
    Distribution distribution;
    for (const int64_t value : values) distribution.add(value);
    EXPECT_TRUE(distribution.is_exact());
    std::ranges::sort(values);
    EXPECT_EQ(distribution.least(), values.front());
    EXPECT_EQ(distribution.most(), values.back());
    for (const uint32_t percent : {1U, 50U, 90U, 99U, 100U})
      EXPECT_EQ(distribution.percentile(percent), values[(count * percent + 99) / 100 - 1]);
  }
}

TEST(Distribution, KnowsThemToAThirtySecondWhenThereAreMany) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20; ++i) {
    // Split into parts, some of which are small.
    std::vector<int64_t> all;
    Distribution distribution;
    for (int part = 0; part < 4; ++part) {
      const std::vector<int64_t> values = random_values(random, part % 2 == 0 ? 50 : 2000);
      Distribution of_part;
      for (const int64_t value : values) of_part.add(value);
      distribution.merge(of_part);
      all.insert(all.end(), values.begin(), values.end());
    }
    std::ranges::sort(all);
    EXPECT_EQ(distribution.count(), all.size());
    EXPECT_FALSE(distribution.is_exact());
    for (const uint32_t percent : {1U, 50U, 90U, 99U, 100U}) {
      const int64_t exact = all[(all.size() * percent + 99) / 100 - 1];
      const int64_t found = distribution.percentile(percent);
      EXPECT_GE(found, exact);
      EXPECT_LE(static_cast<double>(found - exact), std::abs(static_cast<double>(exact)) / 32 + 1);
    }
    uint64_t in_bins = 0;
    int64_t last = std::numeric_limits<int64_t>::min();
    distribution.for_each_bin([&](const Distribution::Bin& bin) {
      const int64_t least = Distribution::least_of(bin.number);
      const int64_t most = Distribution::most_of(bin.number);
      EXPECT_LE(least, most);
      EXPECT_LE(last, least);
      last = most;
      in_bins += bin.count;
      const auto within = std::ranges::count_if(
          all, [&](int64_t value) { return least <= value && value <= most; });
      EXPECT_EQ(bin.count, static_cast<uint64_t>(within));
    });
    EXPECT_EQ(in_bins, all.size());
  }
}

}  // namespace
}  // namespace weft::query
