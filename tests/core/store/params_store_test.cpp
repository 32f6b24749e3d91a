#include "core/store/params_store.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/core/store/random_trace.h"

namespace weft::store {
namespace {

using testing_traces::ScratchFolder;
using testing_traces::spill_file;

std::string value_of(int number) { return "{\"number\":" + std::to_string(number) + "}"; }

TEST(ParamsStore, KeepsEqualValuesOnce) {
  const ScratchFolder folder;
  ParamsStore store(spill_file(folder.path()), 0, 400 << 20);
  const ParamsId first = store.add(value_of(1), {});
  const uint64_t size = store.size_bytes();
  EXPECT_EQ(store.add(value_of(1), {}), first);
  EXPECT_EQ(store.size_bytes(), size);
  EXPECT_NE(store.add(value_of(2), {}), first);
  store.flush();
  EXPECT_EQ(store.get(first).json, value_of(1));
}

TEST(ParamsStore, KeepsValuesOnceAgainBehindManyThatAllDiffer) {
  const ScratchFolder folder;
  ParamsStore store(spill_file(folder.path()), 0, 400 << 20);
  for (int i = 0; i < 300'000; ++i) store.add(value_of(1'000'000 + i), {});
  const uint64_t before = store.size_bytes();
  constexpr int kValues = 100'000, kRounds = 12;
  ParamsId last = ParamsId::none();
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kValues; ++i) last = store.add(value_of(i), {});
  }
  const uint64_t bytes_of_a_round = kValues * (2 + value_of(kValues).size());
  EXPECT_LT(store.size_bytes() - before, 5 * bytes_of_a_round);
  store.flush();
  EXPECT_EQ(store.get(last).json, value_of(kValues - 1));
}

}  // namespace
}  // namespace weft::store
