// covers FS-25, C-30: time without its cuts, and back
#include "core/base/time_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace weft {
namespace {

const TimeCuts kCuts({{{10}, {20}}, {{30}, {100}}});

TEST(TimeCuts, TakeAwayWhatLiesBefore) {
  EXPECT_EQ(kCuts.folded({5}), Time{5});
  EXPECT_EQ(kCuts.folded({10}), Time{10});
  EXPECT_EQ(kCuts.folded({15}), Time{10});  // within a cut: where it is
  EXPECT_EQ(kCuts.folded({20}), Time{10});
  EXPECT_EQ(kCuts.folded({25}), Time{15});
  EXPECT_EQ(kCuts.folded({100}), Time{20});
  EXPECT_EQ(kCuts.folded({107}), Time{27});
  EXPECT_EQ(kCuts.folded({-7}), Time{-7});
}

TEST(TimeCuts, UnfoldToEitherSideOfACut) {
  EXPECT_EQ(kCuts.unfolded({10}), Time{20});
  EXPECT_EQ(kCuts.unfolded_end({10}), Time{10});
  EXPECT_EQ(kCuts.unfolded({20}), Time{100});
  EXPECT_EQ(kCuts.unfolded_end({20}), Time{30});
}

TEST(TimeCuts, SayHowMuchIsCutOut) {
  EXPECT_EQ(kCuts.length(), Duration{80});
  EXPECT_EQ(TimeCuts().length(), Duration{0});
}

TEST(TimeCuts, LeavePieces) {
  EXPECT_EQ(kCuts.pieces({{0}, {105}}),
            (std::vector<TimeRange>{{{0}, {10}}, {{20}, {30}}, {{100}, {105}}}));
  EXPECT_EQ(kCuts.pieces({{15}, {25}}), (std::vector<TimeRange>{{{20}, {25}}}));
  EXPECT_TRUE(kCuts.pieces({{40}, {50}}).empty());
  EXPECT_EQ(TimeCuts().pieces({{1}, {2}}), (std::vector<TimeRange>{{{1}, {2}}}));
}

TEST(TimeCuts, FoldAndUnfoldAreInverse) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<TimeRange> ranges;
    int64_t at = static_cast<int64_t>(random() % 100) - 200;
    for (int i = 0; i < 20; ++i) {
      const int64_t begin = at + 1 + static_cast<int64_t>(random() % 20);
      at = begin + 1 + static_cast<int64_t>(random() % 50);
      ranges.push_back({{begin}, {at}});
    }
    const TimeCuts cuts(ranges);
    int64_t folded = -300;
    for (int64_t t = -300; t < at + 50; ++t) {
      const bool is_cut =
          std::ranges::any_of(ranges, [&](const TimeRange& cut) { return cut.contains({t}); });
      EXPECT_EQ(cuts.folded({t}), Time{folded});
      if (is_cut) continue;
      EXPECT_EQ(cuts.unfolded({folded}), Time{t});
      EXPECT_EQ(cuts.unfolded_end({folded + 1}), Time{t + 1});
      ++folded;
    }
  }
}

}  // namespace
}  // namespace weft
