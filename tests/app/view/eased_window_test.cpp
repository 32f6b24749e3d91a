#include "app/view/eased_window.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

constexpr uint64_t kTrace = 1;
constexpr double kFrame = 1.0 / 60;

EasedWindow shown_at(const TimeWindow& window) {
  EasedWindow eased;
  eased.step(window, kTrace, 0, false);
  return eased;
}

TEST(EasedWindow, MovesToWhatLiesBesideIt) {
  EasedWindow eased = shown_at({.begin = {0}, .length = 1000});
  const TimeWindow next = {.begin = {1000}, .length = 1000};
  eased.step(next, kTrace, kFrame, false);
  EXPECT_TRUE(eased.is_moving());
  EXPECT_GT(eased.shown().begin, Time{0});
  EXPECT_LT(eased.shown().begin, next.begin);
  for (int i = 0; i < 600 && eased.is_moving(); ++i) eased.step(next, kTrace, kFrame, false);
  EXPECT_EQ(eased.shown(), next);
}

TEST(EasedWindow, MovesIntoAPartOfItself) {
  EasedWindow eased = shown_at({.begin = {0}, .length = 1e9});
  eased.step({.begin = {900'000'000}, .length = 10}, kTrace, kFrame, false);
  EXPECT_TRUE(eased.is_moving());
}

// From where nothing was yet to where a trace whose clock began long ago has its events.
TEST(EasedWindow, JumpsToWhatIsFarAway) {
  for (const int64_t there : {400'000'000'000, -400'000'000'000}) {
    EasedWindow eased = shown_at({.begin = {0}, .length = 1e9});
    const TimeWindow far = {.begin = {there}, .length = 2e9};
    eased.step(far, kTrace, kFrame, false);
    EXPECT_FALSE(eased.is_moving());
    EXPECT_EQ(eased.shown(), far);
  }
}

}  // namespace
}  // namespace weft::app
