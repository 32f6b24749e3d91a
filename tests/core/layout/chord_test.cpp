#include "core/layout/chord.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>
#include <vector>

namespace weft::layout {
namespace {

constexpr double kCircle = 2 * std::numbers::pi;

TEST(Chord, ArcsAreAsLongAsWhatTheirLanesSendAndReceive) {
  const std::vector<ChordFlow> flows = {{0, 1, 3}, {1, 0, 1}, {1, 2, 2}};
  const Chord chord = arrange_chord(3, flows, 0);
  const double unit = kCircle / 12;
  EXPECT_NEAR(chord.lanes[0].length(), 4 * unit, 1e-9);
  EXPECT_NEAR(chord.lanes[1].length(), 6 * unit, 1e-9);
  EXPECT_NEAR(chord.lanes[2].length(), 2 * unit, 1e-9);
  EXPECT_NEAR(chord.lanes[0].begin, 0, 1e-9);
  EXPECT_NEAR(chord.lanes[2].end, kCircle, 1e-9);
}

TEST(Chord, EndsOfBandsFillTheirArcsWithoutOverlap) {
  std::mt19937 random(5);
  for (const uint32_t lanes : {1U, 2U, 7U, 40U}) {
    std::vector<ChordFlow> flows;
    for (int i = 0; i < 200; ++i)
      flows.push_back({static_cast<uint32_t>(random() % lanes),
                       static_cast<uint32_t>(random() % lanes),
                       static_cast<double>(random() % 50)});
    const Chord chord = arrange_chord(lanes, flows, 0.02);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      std::vector<std::pair<double, double>> parts;
      for (size_t i = 0; i < flows.size(); ++i) {
        if (flows[i].source == lane)
          parts.emplace_back(chord.bands[i].source.begin, chord.bands[i].source.end);
        if (flows[i].target == lane)
          parts.emplace_back(chord.bands[i].target.begin, chord.bands[i].target.end);
      }
      std::ranges::sort(parts);
      double at = chord.lanes[lane].begin;
      for (const auto& [begin, end] : parts) {
        EXPECT_NEAR(begin, at, 1e-9);
        at = end;
      }
      EXPECT_NEAR(at, chord.lanes[lane].end, 1e-9);
    }
  }
}

TEST(Chord, ManyLanesKeepTwoThirdsOfTheCircle) {
  std::vector<ChordFlow> flows;
  for (uint32_t i = 0; i + 1 < 1000; ++i) flows.push_back({i, i + 1, 1});
  const Chord chord = arrange_chord(1000, flows, 0.1);
  double used = 0;
  for (const Arc& arc : chord.lanes) used += arc.length();
  EXPECT_NEAR(used, kCircle * 2 / 3, 1e-6);
}

TEST(Chord, NothingIsDrawnOfNothing) {
  EXPECT_TRUE(arrange_chord(0, {}, 0.1).lanes.empty());
  const Chord chord = arrange_chord(2, std::vector<ChordFlow>{{0, 1, 0}}, 0.1);
  EXPECT_EQ(chord.lanes[0].length(), 0);
}

}  // namespace
}  // namespace weft::layout
