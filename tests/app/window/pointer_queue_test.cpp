#include "app/window/pointer_queue.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

using State = PointerQueue::State;

TEST(Pointers, AreWhereTheyAreWhileNothingIsPressed) {
  PointerQueue queue;
  EXPECT_EQ(queue.next_frame(3, 4), (State{3, 4, {}}));
  EXPECT_EQ(queue.next_frame(5, 6), (State{5, 6, {}}));
}

TEST(Pointers, PressWhereTheyWereThen) {
  PointerQueue queue;
  (void)queue.next_frame(0, 0);
  queue.add({0, true, 10, 20});
  queue.add({0, false, 90, 20});
  // All of it within one frame: at (100, 50) by now.
  EXPECT_EQ(queue.next_frame(100, 50), (State{10, 20, {true}}));
  EXPECT_EQ(queue.next_frame(100, 50), (State{90, 20, {true}})) << "drawn there";
  EXPECT_FALSE(queue.is_empty());
  EXPECT_EQ(queue.next_frame(100, 50), (State{90, 20, {}})) << "and let go";
  EXPECT_TRUE(queue.is_empty());
  EXPECT_EQ(queue.next_frame(100, 50), (State{100, 50, {}}));
}

TEST(Pointers, ClickInTwoFrames) {
  PointerQueue queue;
  (void)queue.next_frame(7, 7);
  for (const int button : {1, 9}) {  // ImGui has no tenth one
    queue.add({button, true, 7, 7});
    queue.add({button, false, 7, 7});
  }
  EXPECT_EQ(queue.next_frame(7, 7), (State{7, 7, {false, true}}));
  EXPECT_EQ(queue.next_frame(7, 7), (State{7, 7, {}}));
  EXPECT_TRUE(queue.is_empty());
}

}  // namespace
}  // namespace weft::app
