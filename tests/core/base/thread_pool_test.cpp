#include "core/base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>

namespace weft {
namespace {

TEST(ThreadPool, RunsEveryIndexOnceAlsoWhenNested) {
  ThreadPool pool(2);
  std::vector<std::atomic<int>> hits(100);
  pool.for_each(10, [&](size_t i) { pool.for_each(10, [&](size_t j) { ++hits[i * 10 + j]; }); });
  for (const auto& h : hits) EXPECT_EQ(h, 1);
}

TEST(ThreadPool, RunsWhatIsQueuedBeforeItEnds) {
  std::atomic<int> done = 0;
  {
    ThreadPool pool(1);
    for (int i = 0; i < 50; ++i) pool.submit([&] { ++done; });
  }
  EXPECT_EQ(done, 50);
}

}  // namespace
}  // namespace weft
