#include "render/latest.h"

#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>

namespace weft::render {
namespace {

TEST(Latest, ShowsTheOldValueUntilTheNewOneIsMade) {
  std::binary_semaphore may_make(0);
  Latest<int, int> squares([&](int key) {
    may_make.acquire();
    return key * key;
  });
  EXPECT_EQ(squares.find(3).value, nullptr);
  may_make.release();
  squares.wait_until_idle();
  EXPECT_EQ(*squares.find(3).value, 9);
  EXPECT_FALSE(squares.find(3).is_stale);

  const auto stale = squares.find(4);
  EXPECT_EQ(*stale.value, 9);
  EXPECT_TRUE(stale.is_stale);
  may_make.release();
  squares.wait_until_idle();
  EXPECT_EQ(*squares.find(4).value, 16);
}

TEST(Latest, WhatWasAskedMeanwhileIsSkipped) {
  std::atomic<int> made = 0;
  std::counting_semaphore<> may_make(0);
  Latest<int, int> values([&](int key) {
    may_make.acquire();
    ++made;
    return key;
  });
  for (int key = 1; key <= 100; ++key) values.find(key);
  may_make.release(3);
  values.wait_until_idle();
  EXPECT_EQ(*values.find(100).value, 100);
  EXPECT_LE(made, 2);
}

TEST(Latest, ItEndsWhileSomethingIsBeingMade) {
  Latest<int, int> values([](int key) { return key; });
  values.find(1);
}

}  // namespace
}  // namespace weft::render
