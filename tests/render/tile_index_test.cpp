#include "render/tile_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

namespace weft::render {
namespace {

using layout::TileKey;

TileKey random_key(std::mt19937_64& random) {
  TileKey key;
  key.row = {LaneId(static_cast<uint32_t>(random() % 3)), store::RowKind::kState,
             static_cast<uint32_t>(random() % 2)};
  key.level = layout::kSingleTicksLevel + static_cast<int>(random() % 4);
  key.index = static_cast<int64_t>(random() % 12) - 6;
  key.filter = random() % 2;
  return key;
}

auto order_of(const TileKey& key) {
  return std::tuple(key.row.lane.value(), key.row.which, key.level, key.index, key.filter);
}

TEST(TileIndexTest, IsAMapWhoseEntriesStay) {
  std::mt19937_64 random(5);
  TileIndex<int> index;
  std::map<decltype(order_of({})), int*> truth;
  for (int step = 0; step < 20'000; ++step) {
    const TileKey key = random_key(random);
    const auto known = truth.find(order_of(key));
    switch (random() % 3) {
      case 0: {
        int& entry = index[key];
        if (known == truth.end()) {
          entry = step;
          truth[order_of(key)] = &entry;
        } else {
          EXPECT_EQ(&entry, known->second);
        }
        break;
      }
      case 1:
        EXPECT_EQ(index.find(key), known == truth.end() ? nullptr : known->second);
        break;
      default:
        index.erase(key);
        if (known != truth.end()) truth.erase(known);
    }
    ASSERT_EQ(index.size(), truth.size());
  }
  size_t visited = 0;
  index.for_each([&](int&) { ++visited; });
  EXPECT_EQ(visited, truth.size());
}

}  // namespace
}  // namespace weft::render
