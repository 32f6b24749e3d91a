#include "core/base/flat_index.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <vector>

#include "core/base/hash_index.h"

namespace weft {
namespace {

TEST(FlatIndex, IsAMap) {
  std::mt19937_64 random(1);
  FlatIndex<uint64_t, NumberHash> index;
  EXPECT_EQ(index.find(7), nullptr);
  for (const uint64_t keys : {10, 5'000, 3}) {
    std::map<uint64_t, size_t> expected;
    for (size_t i = 0; i < 20'000; ++i) {
      // Pairs of lanes: what differs lies in both halves.
      const uint64_t key = random() % keys << 32 | random() % keys;
      const auto [at, is_new] = expected.emplace(key, i);
      EXPECT_EQ(index.insert(key, i), at->second);
    }
    EXPECT_EQ(index.entries().size(), expected.size());
    for (const auto& [key, number] : index.entries()) EXPECT_EQ(expected.at(key), number);
    for (const auto& [key, number] : expected) {
      ASSERT_NE(index.find(key), nullptr);
      EXPECT_EQ(*index.find(key), number);
    }
    EXPECT_EQ(index.find(~uint64_t{0}), nullptr);
    index.clear();
    EXPECT_TRUE(index.entries().empty());
    EXPECT_EQ(index.find(0), nullptr);
  }
}

TEST(HashIndex, FindsWhatWasAddedAndNothingElse) {
  HashIndex index;
  std::vector<uint64_t> keys;
  const auto find = [&](uint64_t key) {
    return index.find(NumberHash()(key), [&](uint32_t number) { return keys[number] == key; });
  };
  constexpr uint64_t kKeys = 5000, kStep = 7;
  for (uint64_t key = 0; key < kKeys * kStep; key += kStep) {
    EXPECT_EQ(find(key), std::nullopt);
    bool is_new = false;
    index.find_or_add(
        NumberHash()(key), [&](uint32_t number) { return keys[number] == key; }, is_new);
    ASSERT_TRUE(is_new);
    keys.push_back(key);
  }
  for (uint64_t key = 0; key < kKeys * kStep; ++key)
    EXPECT_EQ(find(key), key % kStep == 0 ? std::optional<uint32_t>(key / kStep) : std::nullopt);
}

}  // namespace
}  // namespace weft
