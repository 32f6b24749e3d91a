#include "core/base/latest.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <thread>
#include <vector>

namespace weft {
namespace {

// Asks until it gets what it asked for, as a frame loop does.
template <class Key, class Value>
Value ask_until_made(Latest<Key, Value>& latest, const Key& key) {
  for (;;) {
    const auto found = latest.find(key);
    if (!found.is_stale) return *found.value;
    std::this_thread::yield();
  }
}

// The worker may hold the lock when it is asked first.
void ask_until_begun(Latest<int, int>& latest, int key, std::binary_semaphore& has_begun) {
  while (!has_begun.try_acquire()) {
    EXPECT_TRUE(latest.find(key).is_stale);
    std::this_thread::yield();
  }
}

TEST(Latest, ShowsTheOldValueUntilTheNewOneIsMade) {
  std::binary_semaphore may_make(0);
  Latest<int, int> squares([&](int key) {
    may_make.acquire();
    return key * key;
  });
  EXPECT_EQ(squares.find(3).value, nullptr);
  may_make.release();
  EXPECT_EQ(ask_until_made(squares, 3), 9);

  const auto stale = squares.find(4);
  EXPECT_EQ(*stale.value, 9);
  EXPECT_TRUE(stale.is_stale);
  may_make.release();
  EXPECT_EQ(ask_until_made(squares, 4), 16);
}

TEST(Latest, WhatWasAskedMeanwhileIsSkipped) {
  std::vector<int> made;
  std::binary_semaphore is_making(0), may_make(0);
  Latest<int, int> values([&](int key) {
    made.push_back(key);
    is_making.release();
    may_make.acquire();
    return key;
  });
  ask_until_begun(values, 1, is_making);
  for (int key = 2; key <= 100; ++key) values.find(key);
  may_make.release();
  is_making.acquire();
  may_make.release();
  EXPECT_EQ(ask_until_made(values, 100), 100);
  EXPECT_EQ(made, (std::vector{1, 100}));
}

TEST(Latest, GivesUpWhatIsNoLongerWanted) {
  std::binary_semaphore has_begun(0);
  Latest<int, int> latest([&](int key, const std::stop_token& stop) -> std::optional<int> {
    if (key != 1) return key * 10;
    has_begun.release();
    while (!stop.stop_requested()) std::this_thread::yield();
    return std::nullopt;
  });
  ask_until_begun(latest, 1, has_begun);
  EXPECT_EQ(ask_until_made(latest, 2), 20);
}

TEST(Latest, EndsWhileItMakesWhatWouldNeverEnd) {
  std::binary_semaphore has_begun(0);
  Latest<int, int> latest([&](int, const std::stop_token& stop) -> std::optional<int> {
    has_begun.release();
    while (!stop.stop_requested()) std::this_thread::yield();
    return std::nullopt;
  });
  ask_until_begun(latest, 1, has_begun);
}

}  // namespace
}  // namespace weft
