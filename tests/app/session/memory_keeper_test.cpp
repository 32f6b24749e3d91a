// covers B-20: a limit of memory is shared out and kept
#include "app/session/memory_keeper.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "app/session/memory_watch.h"

namespace weft::app {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(MemoryKeeper, TakesNothingWithoutALimit) {
  MemoryKeeper keeper;
  EXPECT_FALSE(keeper.note_use(uint64_t{1} << 40));
  EXPECT_FALSE(keeper.is_exceeded());
  EXPECT_EQ(keeper.share_among(20), MemoryShares());
  EXPECT_EQ(keeper.for_import(400 * kMiB, uint64_t{1} << 40, 0), 400 * kMiB);
  EXPECT_EQ(keeper.shares().answers_bytes, kNoLimit);
  EXPECT_EQ(keeper.for_copy(), 256 * kMiB);
}

TEST(MemoryWatch, MeasuresOnceForAllWhoAsk) {
  std::mutex mutex;
  std::condition_variable has_come;
  int measured = 0;
  MemoryWatch watch([&] {
    const std::lock_guard lock(mutex);
    ++measured;
    has_come.notify_all();
  });
  EXPECT_FALSE(watch.use());
  {
    std::unique_lock lock(mutex);
    ASSERT_TRUE(has_come.wait_for(lock, std::chrono::seconds(60), [&] { return measured > 0; }));
    const int before = measured;
    lock.unlock();
    std::shared_ptr<const MemoryUse> use;
    while (!use) use = watch.use();
    EXPECT_GT(use->own_bytes, 0U);
    for (int i = 0; i < 1'000; ++i) (void)watch.use();
    lock.lock();
    EXPECT_LE(measured, before + 1);  // a second may have begun
  }
}

TEST(MemoryKeeper, SharesTheLimitAmongTraces) {
  MemoryKeeper keeper;
  keeper.set_limit(512 * kMiB);
  EXPECT_EQ(keeper.share_among(1), (MemoryShares{48 * kMiB, 128 * kMiB, 128 * kMiB}));
  EXPECT_EQ(keeper.share_among(4), (MemoryShares{16 * kMiB, 32 * kMiB, 128 * kMiB}));
  EXPECT_EQ(keeper.shares(), (MemoryShares{16 * kMiB, 32 * kMiB, 128 * kMiB}));
  EXPECT_EQ(keeper.for_copy(), 32 * kMiB);
}

TEST(MemoryKeeper, HalvesTheSharesWhileTooMuchIsUsedAndGivesThemBack) {
  MemoryKeeper keeper;
  keeper.set_limit(512 * kMiB);
  EXPECT_TRUE(keeper.note_use(513 * kMiB));
  EXPECT_EQ(keeper.share_among(1).filtered_bytes, 64 * kMiB);
  EXPECT_EQ(keeper.shares().answers_bytes, 64 * kMiB);
  EXPECT_TRUE(keeper.note_use(513 * kMiB));
  EXPECT_EQ(keeper.share_among(1).filtered_bytes, 32 * kMiB);
  EXPECT_FALSE(keeper.is_exceeded());
  EXPECT_FALSE(keeper.note_use(500 * kMiB));  // not far enough below
  EXPECT_EQ(keeper.share_among(1).filtered_bytes, 32 * kMiB);
  keeper.note_use(100 * kMiB);
  keeper.note_use(100 * kMiB);
  keeper.note_use(100 * kMiB);
  EXPECT_EQ(keeper.share_among(1).filtered_bytes, 128 * kMiB);
  for (int i = 0; i < 10; ++i) keeper.note_use(600 * kMiB);
  EXPECT_TRUE(keeper.is_exceeded());
  EXPECT_GT(keeper.share_among(1).tiles_bytes, 0u);
  keeper.set_limit(1024 * kMiB);
  EXPECT_FALSE(keeper.is_exceeded());
  EXPECT_EQ(keeper.share_among(1).filtered_bytes, 256 * kMiB);
}

TEST(MemoryKeeper, AnyNumberOfImportsFitsIntoWhatIsLeft) {
  MemoryKeeper keeper;
  keeper.set_limit(1024 * kMiB);
  const uint64_t used = 124 * kMiB;
  uint64_t under_way = 0;
  for (int i = 0; i < 5; ++i) {
    const uint64_t taken = keeper.for_import(400 * kMiB, used, under_way);
    EXPECT_GE(taken, 16 * kMiB);
    EXPECT_LE(taken, 400 * kMiB);
    under_way += taken;
  }
  EXPECT_LE(used + under_way, 1024 * kMiB);
  EXPECT_EQ(keeper.for_import(400 * kMiB, 2048 * kMiB, 0), 16 * kMiB);  // it is told otherwise
}

}  // namespace
}  // namespace weft::app
