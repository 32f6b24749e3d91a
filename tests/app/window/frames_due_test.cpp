#include "app/window/frames_due.h"

#include <gtest/gtest.h>

namespace weft::app {
namespace {

int taken(FramesDue& due) {
  int frames = 0;
  while (due.take()) ++frames;
  return frames;
}

TEST(FramesAreDue, AfterEveryEventAlsoBehindAnother) {
  FramesDue due;
  EXPECT_EQ(taken(due), FramesDue::kAfterEvent) << "at the start";
  EXPECT_FALSE(due.take());
  due.renew();
  EXPECT_TRUE(due.take());
  EXPECT_TRUE(due.take());
  due.renew();  // the last frame of the first event would not show what comes of this one
  EXPECT_EQ(taken(due), FramesDue::kAfterEvent);
  due.renew();
  due.end();
  EXPECT_FALSE(due.take());
}

}  // namespace
}  // namespace weft::app
