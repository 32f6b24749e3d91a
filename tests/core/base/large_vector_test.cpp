// covers B-20: large arrays keep to a limit of memory
#include "core/base/large_vector.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <thread>

namespace weft {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

class LargeVectorTest : public ::testing::Test {
 protected:
  LargeVectorTest()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ("large-arrays-" + std::to_string(::getpid()))) {}
  ~LargeVectorTest() override {
    limit_large_arrays(kNoLimit, {});
    std::filesystem::remove_all(folder_);
  }

  std::filesystem::path folder_;  // not there yet
};

uint64_t sum_of(const LargeVector<uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

// Nodes of maps, too, and what is freed is used again.
TEST_F(LargeVectorTest, PoolsLieInFilesBeyondTheLimit) {
  limit_large_arrays(kMiB, folder_);
  {
    LargePool pool;
    std::pmr::map<uint64_t, uint64_t> map(&pool);
    for (uint64_t i = 0; i < kMiB; ++i) map.emplace(i, i * i);
    EXPECT_LE(large_arrays_use().memory_bytes, kMiB);
    const uint64_t in_files = large_arrays_use().file_bytes;
    EXPECT_GE(in_files, 32 * kMiB);
    for (uint64_t i = 0; i < kMiB; ++i) map.erase(i);
    for (uint64_t i = 0; i < kMiB; ++i) map.emplace(i, i);
    EXPECT_EQ(large_arrays_use().file_bytes, in_files);
    EXPECT_EQ(map.at(kMiB - 1), kMiB - 1);
  }
  EXPECT_EQ(large_arrays_use().file_bytes, 0U);
}

TEST_F(LargeVectorTest, LiesInMemoryWithoutALimit) {
  const LargeVector<uint64_t> values(kMiB, 3);
  EXPECT_EQ(sum_of(values), 3 * kMiB);
  EXPECT_GE(large_arrays_use().memory_bytes, 8 * kMiB);
  EXPECT_EQ(large_arrays_use().file_bytes, 0U);
}

TEST_F(LargeVectorTest, WhatDoesNotFitLiesInAFile) {
  limit_large_arrays(10 * kMiB, folder_);
  {
    const LargeVector<uint64_t> fits(kMiB, 1);
    LargeVector<uint64_t> grows;
    for (uint64_t i = 0; i < 2 * kMiB; ++i) grows.push_back(i);
    EXPECT_EQ(sum_of(fits), kMiB);
    EXPECT_EQ(sum_of(grows), kMiB * (2 * kMiB - 1));
    const LargeVector<uint64_t> copy = grows;
    EXPECT_EQ(copy, grows);
    EXPECT_LE(large_arrays_use().memory_bytes, 10 * kMiB);
    EXPECT_GE(large_arrays_use().file_bytes, 32 * kMiB);
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "files have no names";
  }
  EXPECT_EQ(large_arrays_use().memory_bytes, 0U);
  EXPECT_EQ(large_arrays_use().file_bytes, 0U);
}

TEST_F(LargeVectorTest, LiesInMemoryWhereNoFileCanBe) {
  std::ofstream(folder_.string()) << "no folder";
  limit_large_arrays(0, folder_);
  const LargeVector<uint64_t> values(kMiB, 3);
  EXPECT_EQ(sum_of(values), 3 * kMiB);
  EXPECT_EQ(large_arrays_use().file_bytes, 0U);
  EXPECT_GE(large_arrays_use().memory_bytes, 8 * kMiB);
}

TEST_F(LargeVectorTest, SmallArraysDoNotCount) {
  limit_large_arrays(0, folder_);
  const LargeVector<uint64_t> values(1000, 3);
  EXPECT_EQ(sum_of(values), 3000U);
  EXPECT_EQ(large_arrays_use().memory_bytes + large_arrays_use().file_bytes, 0U);
}

TEST_F(LargeVectorTest, ManyThreadsKeepToOneLimit) {
  limit_large_arrays(8 * kMiB, folder_);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (size_t round = 0; round < 50; ++round) {
        const LargeVector<std::byte> bytes((1 + round % 5) * kMiB);
        EXPECT_LE(large_arrays_use().memory_bytes, 8 * kMiB);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(large_arrays_use().memory_bytes, 0U);
}

}  // namespace
}  // namespace weft
